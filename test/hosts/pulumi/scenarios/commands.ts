import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { inWorld } from './world.js';
import type { Scenario } from './world.js';

const ROOT = path.resolve(__dirname, '../../../..');
const EXAMPLE = path.join(ROOT, 'pulumi-provider/examples/getting-started');

/** What stands in for the network: the project template of `pulumi new`, and packages that are not published. */
const OFFLINE = `
pulumi() {
  if [ "$1" = new ]; then
    printf 'name: audience\\nruntime: nodejs\\n' > Pulumi.yaml
    printf '{ "name": "audience", "main": "index.ts" }' > package.json
    printf '{ "compilerOptions": { "target": "es2022", "module": "nodenext", "strict": true, "skipLibCheck": true } }' > tsconfig.json
    command "$PULUMI" stack init dev
  else
    command "$PULUMI" "$@"
  fi
}
npm() { [ -e node_modules ] || ln -s "$MODULES" node_modules; }
`;

/** Runs commands as they stand in a document, in a shell. */
async function type(script: string, cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn('bash', ['-euc', OFFLINE + script], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => (output += part));
  }
  const code = await new Promise((resolve) => child.once('close', resolve));
  assert.equal(code, 0, output);
  return output;
}

const SECRET = 'pulumi config set --secret audience:apiKey\n';

/** The key is typed by a person after the prompt, and the address is that of the sandbox. */
function filledIn(block: string, { url, apiKey }: { readonly url: string; readonly apiKey: string }): string {
  assert.ok(block.includes(SECRET), block);
  const typed = `pulumi config set --secret audience:apiKey <<< '${apiKey}'\n`;
  return block.replace(SECRET, typed).replace('https://api.example.com', url);
}

/** What only the real CLI can show: the commands of the documentation, typed as they stand there. */
export const commands: readonly Scenario[] = [
  {
    name: 'the commands of getting-started, as they stand in its README',
    only: 'dynamic',
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
        const script = filledIn(block, sandbox);
        const output = await type(script, folder, {
          ...env,
          PULUMI: command,
          PULUMI_SKIP_CONFIRMATIONS: 'true',
        });
        assert.equal(sandbox.contacts()[0]?.email, 'tester@example.com');
        assert.ok(!output.includes(sandbox.apiKey), 'the key is printed');
      }),
  },
  {
    name: 'the commands of the provider README, from an empty folder to the first drift',
    only: 'dynamic',
    run: (engine) =>
      inWorld(engine, {}, async ({ sandbox, stack, programDir, others }) => {
        const folder = path.join(programDir, 'empty');
        await mkdir(folder);
        const readme = await readFile(path.join(ROOT, 'pulumi-provider/README.md'), 'utf8');
        const [start = '', up = '', drift = ''] = [...readme.matchAll(/```sh\n([^`]+)```/g)].map(
          ([, text]) => text ?? '',
        );
        const [, program = ''] = /```ts\n([^`]+)```/.exec(readme) ?? [];
        assert.match(drift, /pulumi refresh\npulumi up/);
        const { command, env: inherited } = stack.upCommand();
        const modules = path.join(ROOT, 'node_modules');
        const env: NodeJS.ProcessEnv = {
          ...inherited,
          ...{ PULUMI: command, MODULES: modules, HOME: folder, PULUMI_SKIP_CONFIRMATIONS: 'true' },
        };
        delete env['PULUMI_NODEJS_TYPESCRIPT'];
        await type(filledIn(start, sandbox), folder, env);
        const project = path.join(folder, 'audience');
        await writeFile(path.join(project, 'index.ts'), program);
        const twice = await type(up, project, env);
        assert.match(twice, /3 created/);
        assert.match(twice, /3 unchanged/);
        await others.contacts.update('ada@example.com', { firstName: 'Somebody' });
        await type(drift, project, env);
        assert.equal(sandbox.contacts()[0]?.firstName, 'Ada');
      }),
  },
];
