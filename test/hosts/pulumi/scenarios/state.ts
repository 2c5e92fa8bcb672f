import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { inWorld } from './world.js';
import type { Scenario } from './world.js';

export const state: readonly Scenario[] = [
  {
    name: 'the API key is in no state file, no export and no log',
    run: (engine) =>
      inWorld(engine, { seed: { contacts: [{ email: 'ada@example.com' }] } }, async (world) => {
        await world.program(`
          new ContactProperty('p', { name: 'plan', type: 'string' });
          new Contact('ada', { email: 'ada@example.com', properties: { plan: 'Pro' } });`);
        const results = [await world.stack.preview(), await world.up(), await world.stack.refresh()];
        await world.program(`new Contact('ada', { email: 'ada@example.com', subscribed: true });`);
        results.push(await world.stack.up());
        const texts = [await world.stack.exportState(), ...results.flatMap(({ log }) => log)];
        for (const file of await filesUnder(world.stateDir)) texts.push(await readFile(file, 'latin1'));
        assert.ok(texts.length > 5);
        for (const text of texts) assert.ok(!text.includes(world.sandbox.apiKey), 'the API key is there');
      }),
  },
  {
    name: 'a secret input stays secret in state, as input and as output',
    run: (engine) =>
      inWorld(engine, { seed: { contacts: [{ email: 'ada@example.com' }] } }, async (world) => {
        await world.program(
          `new Contact('ada', { email: pulumi.secret('ada@example.com'), firstName: 'Ada', lastName: pulumi.secret('Lovelace') });`,
        );
        await world.up();
        assert.deepEqual(world.writes(), [
          'PUT /v1/contacts/ada@example.com {"firstName":"Ada","lastName":"Lovelace"} 200',
        ]);
        const exported = await world.stack.exportState();
        assert.ok(exported.includes('Ada'));
        assert.ok(!exported.includes('Lovelace') && !exported.includes('ada@example.com'), exported);
        assert.equal((await world.up()).summary.same, 1);
        assert.deepEqual(world.writes(), []);
      }),
  },
  {
    name: 'the serialized provider is under 2,000 bytes behind a workspace link',
    only: 'dynamic',
    run: (engine) =>
      inWorld(engine, { seed: { contacts: [{ email: 'ada@example.com' }] } }, async (world) => {
        await world.program(`
          new ContactProperty('p', { name: 'plan', type: 'string' });
          new Contact('ada', { email: 'ada@example.com' });`);
        await world.up();
        const sizes = (await world.stack.resources()).map(
          ({ inputs }) => String(inputs['__provider']).length,
        );
        assert.equal(sizes.length, 2);
        for (const size of sizes) assert.ok(size > 100 && size < 2_000, `${size} bytes`);
      }),
  },
];

async function filesUnder(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}
