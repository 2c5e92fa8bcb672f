import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Stack } from '../cli/stack.js';
import { numbered, type Scenario } from './world.js';

const run = promisify(execFile);

/** What only the real CLI can show of the native plugin: its own commands. */
export const nativeCommands: readonly Scenario[] = [
  {
    name: 'pulumi import of a property and a contact: nothing is written',
    seed: {
      properties: [{ name: 'seats', type: 'number' }],
      contacts: [{ email: 'ada@example.com', properties: { seats: 3 } }],
    },
    async play(world) {
      const programDir = path.join(world.programDir, 'imported');
      await mkdir(programDir);
      await writeFile(path.join(programDir, 'Pulumi.yaml'), 'name: imported\nruntime: yaml\n');
      const { stateDir, config } = world;
      const stack = await Stack.create({
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
  },
  {
    name: 'Ctrl-C in the middle of a list: what was done is kept, and the next up does the rest',
    seed: { contacts: numbered(400) },
    async play(world) {
      const people = numbered(400);
      const rows = people.map(({ email }) => `${email},P`);
      await world.save('people.csv', ['email,firstName', ...rows]);
      await world.program("new Contacts('all', { file: 'people.csv' });");
      const updated = (): number =>
        world.sandbox.requests().filter(({ method, status }) => method === 'PUT' && status === 200).length;
      world.sandbox.limitRate({ requestsPerSecond: 40 });
      const child = world.stack.startUp();
      const ended = once(child, 'close');
      while (updated() < 50 && child.exitCode === null) await delay(50);
      child.kill('SIGINT');
      await ended;
      const done = updated();
      assert.ok(done >= 50 && done < people.length, `${done} were updated`);

      world.sandbox.limitRate(undefined);
      await world.up();
      assert.equal(updated(), people.length);
      assert.ok((await world.sandbox.contacts()).every(({ firstName }) => firstName === 'P'));
    },
  },
];
