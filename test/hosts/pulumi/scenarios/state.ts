import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Scenario } from './world.js';

export const state: readonly Scenario[] = [
  {
    name: 'the API key is in no state file, export or log; a secret input stays secret, as input and as output',
    seed: { contacts: [{ email: 'ada@example.com' }] },
    async play(world) {
      await world.program(`
        new ContactProperty('p', { name: 'plan', type: 'string' });
        new Contact('ada', { email: pulumi.secret('ada@example.com'), firstName: 'Ada', lastName: pulumi.secret('Lovelace') });`);
      const results = [await world.stack.preview(), await world.up()];
      assert.deepEqual(
        world.writes().filter((call) => call.startsWith('PUT')),
        ['PUT /v1/contacts/ada@example.com {"firstName":"Ada","lastName":"Lovelace"} 200'],
      );
      const exported = await world.stack.exportState();
      assert.ok(exported.includes('Ada'));
      assert.ok(!exported.includes('Lovelace') && !exported.includes('ada@example.com'), exported);
      results.push(await world.stack.refresh(), await world.up());
      assert.deepEqual([results.at(-1)?.summary.same, world.writes()], [2, []]);
      const texts = [await world.stack.exportState(), ...results.flatMap(({ log }) => log)];
      for (const file of await filesUnder(world.stateDir)) texts.push(await readFile(file, 'latin1'));
      assert.ok(texts.length > 5);
      for (const text of texts) assert.ok(!text.includes(world.sandbox.apiKey), 'the API key is there');
      if (world.provider === 'native') return;
      // Behind a workspace link, too, a provider is stored as a reference to its package.
      for (const { inputs } of await world.stack.resources()) {
        const { length } = JSON.stringify(inputs['__provider']);
        assert.ok(length > 100 && length < 2_000, `${length} bytes`);
      }
    },
  },
];

async function filesUnder(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}
