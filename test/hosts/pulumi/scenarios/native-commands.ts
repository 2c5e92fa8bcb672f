import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startSandbox } from 'audience-sandbox';
import { inWorld } from './world.js';
import type { Scenario, World } from './world.js';

const run = promisify(execFile);

const ROOT = path.dirname(createRequire(__filename).resolve('pulumi-audience/package.json'));

const inLanguage = (language: string, scenario: Omit<Scenario, 'only' | 'language'>): Scenario => ({
  ...scenario,
  ...{ only: 'native', language },
});

async function upTwice(
  world: World,
  stack: World['stack'],
  resources: number,
): Promise<Record<string, unknown>> {
  const first = await stack.up();
  assert.equal(first.failed, false, first.log.join('\n'));
  world.calls();
  const second = await stack.up();
  assert.deepEqual(
    [second.failed, second.summary.same, world.writes()],
    [false, resources, []],
    second.log.join('\n'),
  );
  return { ...first.outputs };
}

const example = (world: World, name: string): Promise<string> => {
  const folder = path.join(world.programDir, name);
  return cp(path.join(ROOT, 'examples', name), folder, { recursive: true }).then(() => folder);
};

/** Generates the SDK for the language of the program, and installs it there. */
async function addPlugin(stack: World['stack'], programDir: string): Promise<void> {
  const { command, env } = stack.upCommand();
  const plugin = path.join(ROOT, 'dist/bin/pulumi-resource-audience');
  await run(command, ['package', 'add', plugin], { cwd: programDir, env });
}

const WRONG_SEED = {
  properties: [{ name: 'plan', type: 'string' as const }],
  contacts: [{ email: 'ada@example.com' }],
};

/** What only the real CLI can show of the native plugin: other languages, and its own commands. */
export const nativeCommands: readonly Scenario[] = [
  inLanguage('yaml', {
    name: 'the example in YAML',
    run: (engine) =>
      inWorld(engine, { seed: { subscriptionGroups: [{ id: 'g1', name: 'News' }] } }, async (world) => {
        const programDir = await example(world, 'yaml');
        const { stateDir, config } = world;
        const stack = await engine.createStack({
          programDir,
          stateDir,
          config,
          project: 'audience-yaml',
          stack: 'dev',
        });
        const { tester, groups } = await upTwice(world, stack, 3);
        const [contact] = world.sandbox.contacts();
        assert.deepEqual([tester, contact?.properties], [contact?.id, { seats: 3, trialEndsAt: 1801353600 }]);
        assert.deepEqual(groups, [{ id: 'g1', name: 'News' }]);
      }),
  }),
  inLanguage('yaml', {
    name: 'pulumi import of a property and a contact: nothing is written',
    run: (engine) =>
      inWorld(
        engine,
        {
          seed: {
            properties: [{ name: 'seats', type: 'number' }],
            contacts: [{ email: 'ada@example.com', properties: { seats: 3 } }],
          },
        },
        async (world) => {
          const programDir = path.join(world.programDir, 'imported');
          await mkdir(programDir);
          await writeFile(path.join(programDir, 'Pulumi.yaml'), 'name: imported\nruntime: yaml\n');
          const { stateDir, config } = world;
          const stack = await engine.createStack({
            ...{ programDir, stateDir, config },
            project: 'imported',
            stack: 'dev',
          });
          const { command, args, env } = stack.upCommand();
          const words = ['import', '--yes', '--non-interactive', ...args.slice(args.indexOf('--stack'))];
          const imported = async (type: string, name: string, id: string): Promise<string> =>
            (await run(command, [...words, type, name, id], { cwd: programDir, env })).stdout;
          await imported('audience:index:ContactProperty', 'seats', 'seats');
          const shown = await imported('audience:index:Contact', 'ada', 'ada@example.com');
          assert.match(shown, /email: ada@example.com\n\s+properties:\n\s+seats: 3/);
          assert.deepEqual(world.writes(), []);
        },
      ),
  }),
  inLanguage('python', {
    name: 'the example in Python, with two accounts and the SDK that pulumi package add makes',
    run: (engine) =>
      inWorld(engine, {}, async (world) => {
        const eu = await startSandbox({ seed: {} });
        try {
          const programDir = await example(world, 'python');
          const stack = await engine.createStack({
            ...{ programDir, stateDir: world.stateDir, project: 'audience-python', stack: 'dev' },
            config: {
              ...world.config,
              'audience-python:euBaseUrl': eu.url,
              'audience-python:euApiKey': { secret: eu.apiKey },
            },
          });
          await addPlugin(stack, programDir);
          const outputs = await upTwice(world, stack, 5);
          assert.equal(outputs['tester'], world.sandbox.contacts()[0]?.id);
          assert.equal(eu.contacts()[0]?.email, 'tester@example.eu');
          const state = await stack.exportState();
          for (const { apiKey } of [eu, world.sandbox])
            assert.ok(!state.includes(apiKey), 'a key is in state');
        } finally {
          await eu.close();
        }
      }),
  }),
  inLanguage('go', {
    name: 'the example in Go',
    run: (engine) =>
      inWorld(engine, { seed: WRONG_SEED }, async (world) => {
        const programDir = await example(world, 'go');
        const stack = await engine.createStack({
          ...{ programDir, stateDir: world.stateDir, config: world.config },
          project: 'audience-go',
          stack: 'dev',
        });
        await addPlugin(stack, programDir);
        const { tester } = await upTwice(world, stack, 2);
        const made = world.sandbox.contacts().find(({ email }) => email === 'tester@example.com');
        assert.deepEqual([tester, made?.properties], [made?.id, { seats: 3 }]);
      }),
  }),
  {
    name: 'Ctrl-C in the middle of a list: what was done is kept, and the next up does the rest',
    only: 'native',
    run: (engine) => {
      const people = Array.from({ length: 400 }, (_, number) => ({ email: `person-${number}@example.com` }));
      return inWorld(engine, { seed: { contacts: people } }, async (world) => {
        const rows = people.map(({ email }) => `${email},P`);
        await writeFile(
          path.join(world.programDir, 'people.csv'),
          ['email,firstName', ...rows, ''].join('\n'),
        );
        await world.program("new Contacts('all', { file: 'people.csv' });");
        const updated = (): number =>
          world.sandbox.requests().filter(({ method, status }) => method === 'PUT' && status === 200).length;
        world.sandbox.limitRate({ requestsPerSecond: 40 });
        const { command, args, env } = world.stack.upCommand();
        const child = spawn(command, args, { cwd: world.programDir, env, stdio: 'ignore' });
        const ended = once(child, 'close');
        while (updated() < 50 && child.exitCode === null) await delay(50);
        child.kill('SIGINT');
        await ended;
        const done = updated();
        assert.ok(done >= 50 && done < people.length, `${done} were updated`);

        world.sandbox.limitRate(undefined);
        await world.up();
        assert.equal(updated(), people.length);
        assert.ok(world.sandbox.contacts().every(({ firstName }) => firstName === 'P'));
      });
    },
  },
];
