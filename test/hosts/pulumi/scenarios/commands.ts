import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { LocalWorkspace } from '@pulumi/pulumi/automation';
import { startSandbox, type Seed } from 'audience-sandbox';
import { Contact, ContactProperty, getSubscriptionGroups } from 'pulumi-audience';
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
  const child = spawn('bash', ['-euc', OFFLINE + script], {
    cwd,
    // The types of what the READMEs show are checked where the packages are installed.
    env: { ...env, PULUMI_NODEJS_TRANSPILE_ONLY: 'true' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
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

const PLAN: Seed = { properties: [{ name: 'plan', type: 'string' }] };

/** What only the real CLI can show: the commands of the documentation, typed as they stand there. */
export const commands: readonly Scenario[] = [
  {
    name: 'the commands of getting-started, as they stand in its README',
    async play({ sandbox, stack, programDir }) {
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
      assert.equal((await sandbox.contacts())[0]?.email, 'tester@example.com');
      assert.ok(!output.includes(sandbox.apiKey), 'the key is printed');
    },
  },
  {
    name: 'the commands of the provider README, from an empty folder to the first drift',
    async play({ sandbox, stack, programDir, others }) {
      const folder = path.join(programDir, 'empty');
      await mkdir(folder);
      const readme = await readFile(path.join(ROOT, 'pulumi-provider/README.md'), 'utf8');
      const [start = '', up = ''] = [...readme.matchAll(/```sh\n([^`]+)```/g)].map(([, text]) => text ?? '');
      const [, program = ''] = /```ts\n([^`]+)```/.exec(readme) ?? [];
      assert.match(readme, /`pulumi refresh` shows it, and\s`pulumi up` writes/);
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
      await type('pulumi refresh\npulumi up\n', project, env);
      assert.equal((await sandbox.contacts())[0]?.firstName, 'Ada');
    },
  },
  {
    name: 'a new address and key: used by the next up, and by refresh when it runs the program, as the README says',
    seed: PLAN,
    async play(world) {
      const moved = await startSandbox({ seed: PLAN, apiKey: 'the-new-key' });
      try {
        const { sandbox, stack } = world;
        await world.program(`new ContactProperty('p', { name: 'plan', type: 'string' });`);
        await world.up();
        const asked = () => ({ old: world.calls().length > 0, moved: moved.requests().length > 0 });
        asked();

        const config = { 'audience:baseUrl': moved.url, 'audience:apiKey': { secret: moved.apiKey } };
        const refreshed = await stack.refresh({ config });
        assert.equal(refreshed.failed, false, refreshed.log.join('\n'));
        assert.deepEqual(asked(), { old: true, moved: false });

        const again = await stack.refresh({ flags: ['--run-program'] });
        assert.equal(again.failed, false, again.log.join('\n'));
        assert.deepEqual(asked(), { old: false, moved: true });
        await world.up();
        await sandbox.close();
        const after = await stack.refresh();
        assert.equal(after.failed, false, after.log.join('\n'));
      } finally {
        await moved.close();
      }
    },
  },
  {
    name: 'two stacks in one process at once (Automation API): each has its own account, functions too',
    async play({ stack, programDir }) {
      const { env } = stack.upCommand();
      const accounts = await Promise.all(
        ['first', 'second'].map(async (name) => ({
          name,
          sandbox: await startSandbox({ seed: { subscriptionGroups: [{ id: name, name: 'News' }] } }),
        })),
      );
      try {
        const ended = await Promise.all(
          accounts.map(async ({ name, sandbox }) => {
            const one = await LocalWorkspace.createStack(
              { stackName: name, projectName: 'scenario', program: () => declarePerson(name) },
              { envVars: textOf(env), workDir: await mkdtemp(path.join(programDir, name)) },
            );
            await one.setConfig('audience:baseUrl', { value: sandbox.url });
            await one.setConfig('audience:apiKey', { value: sandbox.apiKey, secret: true });
            return one.up();
          }),
        );
        assert.deepEqual(
          ended.map(({ outputs }): unknown => outputs['group']?.value),
          ['first', 'second'],
        );
        for (const { name, sandbox } of accounts) {
          assert.deepEqual(
            (await sandbox.contacts()).map(({ email, subscriptionGroups }) => ({
              email,
              subscriptionGroups,
            })),
            [{ email: `${name}@example.com`, subscriptionGroups: { [name]: true } }],
          );
        }
      } finally {
        await Promise.all(accounts.map(({ sandbox }) => sandbox.close()));
      }
    },
  },
];

/** A person in the group that the stack's own account lists, after a property that only this stack declares. */
async function declarePerson(name: string): Promise<{ group: string }> {
  const [group] = await getSubscriptionGroups();
  assert.ok(group);
  const property = new ContactProperty('property', { name: `${name}Plan`, type: 'string' });
  new Contact('person', {
    email: `${name}@example.com`,
    subscriptionGroups: { [group.id]: true },
    properties: { [`${name}Plan`]: property.name },
    createWithEvent: { eventName: 'added' },
  });
  return { group: group.id };
}

function textOf(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
