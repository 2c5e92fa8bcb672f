import assert from 'node:assert/strict';
import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import { Stack } from '../cli/stack.js';
import type { RunResult } from '../engine.js';
import type { Scenario, World } from './world.js';

const EXAMPLES = path.resolve(__dirname, '../../../../pulumi-provider/examples');

/** The example as a user has it: in a separate folder, with its modules installed. */
async function checkOut(world: World, example: string, name: string, stack: string): Promise<Stack> {
  const programDir = path.join(world.programDir, example);
  await cp(path.join(EXAMPLES, example), programDir, { recursive: true });
  await cp(path.join(world.programDir, 'node_modules'), path.join(programDir, 'node_modules'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  return Stack.create({
    ...{ programDir, stack },
    stateDir: world.stateDir,
    project: name,
    config: world.config,
    env: { PULUMI_NODEJS_TRANSPILE_ONLY: 'true' },
  });
}

async function up(world: World, stack: Stack, config: World['config'] = {}): Promise<RunResult> {
  const result = await stack.up({ config: { ...world.config, ...config } });
  assert.equal(result.failed, false, result.log.join('\n'));
  return result;
}

async function assertNoWrites(world: World, stack: Stack): Promise<void> {
  world.calls();
  const again = await stack.up();
  assert.equal(again.failed, false, again.log.join('\n'));
  assert.deepEqual(world.writes(), [], 'another up writes');
}

export const examples: readonly Scenario[] = [
  {
    name: 'the example environments has testers in one stack and none in production',
    only: 'dynamic',
    async play(world) {
      const stack = await checkOut(world, 'environments', 'audience-environments', 'production');
      await up(world, stack, { 'audience-environments:testers': 'ada@example.com' });
      assert.equal((await world.sandbox.contacts()).length, 0);
      await rm(path.join(world.programDir, 'environments'), { recursive: true });
      world.sandbox.load({});
      const staging = await checkOut(world, 'environments', 'audience-environments', 'staging');
      const testers = (...names: string[]): World['config'] => ({
        'audience-environments:testers': names.map((name) => `${name}@example.com`).join(','),
      });
      await up(world, staging, testers('ada', 'bob', 'cleo'));
      await assertNoWrites(world, staging);
      assert.deepEqual(
        (await world.sandbox.contacts()).map(({ source }) => source),
        ['tests of staging', 'tests of staging', 'tests of staging'],
      );
      // The others stay what they are when the one in the middle goes.
      assert.equal((await up(world, staging, testers('ada', 'cleo'))).summary.delete, 1);
      assert.deepEqual(world.writes(), []);
    },
  },
  {
    name: 'the example teams reads columns through a StackReference',
    only: 'dynamic',
    async play(world) {
      const platform = await checkOut(world, 'teams/platform', 'audience-platform', 'dev');
      const { outputs } = await up(world, platform);
      const columns = { email: 'email', firstName: 'firstName', planName: 'planName', seats: 'seats' };
      assert.deepEqual(outputs, { columns });
      const growth = await checkOut(world, 'teams/growth', 'audience-growth', 'dev');
      const { outputs: result } = await up(world, growth, {
        'audience-growth:platformStack': 'organization/audience-platform/dev',
      });
      assert.deepEqual(result, { contacts: 2 });
      await assertNoWrites(world, growth);
      // They are written at the same time, so the service may create either one first.
      assert.deepEqual(
        new Set((await world.sandbox.contacts()).map(({ properties }) => properties)),
        new Set([
          { planName: 'Pro', seats: 3 },
          { planName: 'Free', seats: 1 },
        ]),
      );
    },
  },
  {
    name: 'the example in YAML',
    only: 'native',
    seed: { subscriptionGroups: [{ id: 'g1', name: 'News' }] },
    async play(world) {
      const stack = await checkOut(world, 'yaml', 'audience-yaml', 'dev');
      const { outputs } = await up(world, stack);
      await assertNoWrites(world, stack);
      const [contact] = await world.sandbox.contacts();
      assert.deepEqual(contact?.properties, { seats: 3, trialEndsAt: 1801353600 });
      assert.deepEqual(outputs, { tester: contact.id, groups: [{ id: 'g1', name: 'News' }] });
    },
  },
];
