import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cp, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { inWorld } from './world.js';
import type { Scenario } from './world.js';

const ROOT = path.resolve(__dirname, '../../../..');
const EXAMPLE = path.join(ROOT, 'pulumi-provider/examples/getting-started');

/** What only the real CLI can show: the commands of the documentation, typed as they stand there. */
export const commands: readonly Scenario[] = [
  {
    name: 'the commands of getting-started, as they stand in its README',
    run: (engine) =>
      inWorld(engine, {}, async ({ sandbox, stack, programDir }) => {
        const folder = path.join(programDir, 'getting-started');
        await cp(EXAMPLE, folder, { recursive: true });
        // The packages are not published: what `npm install` would fetch is put there.
        await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
        const readme = await readFile(path.join(EXAMPLE, 'README.md'), 'utf8');
        const [, block = ''] = /```sh\nnpm install\n([^`]+)```/.exec(readme) ?? [];
        assert.ok(block.includes('pulumi up'), block);
        const { command, env } = stack.upCommand();
        const secret = 'pulumi config set --secret audience:apiKey\n';
        assert.ok(block.includes(secret), block);
        // Typed after the prompt by a person.
        const typed = `pulumi config set --secret audience:apiKey <<< '${sandbox.apiKey}'\n`;
        const script = block.replace(secret, typed).replace('https://api.example.com', sandbox.url);
        const child = spawn('bash', ['-euc', `pulumi() { command "$PULUMI" "$@"; }\n${script}`], {
          cwd: folder,
          env: { ...env, PULUMI: command, PULUMI_SKIP_CONFIRMATIONS: 'true' },
          stdio: ['ignore', 'pipe', 'pipe'],
        });
        let output = '';
        for (const stream of [child.stdout, child.stderr]) {
          stream.setEncoding('utf8').on('data', (part: string) => (output += part));
        }
        const code = await new Promise((resolve) => child.once('close', resolve));
        assert.equal(code, 0, output);
        assert.equal(sandbox.contacts()[0]?.email, 'tester@example.com');
        assert.ok(!output.includes(sandbox.apiKey), 'the key is printed');
      }),
  },
];
