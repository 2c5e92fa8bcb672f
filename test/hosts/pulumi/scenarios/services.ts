import assert from 'node:assert/strict';
import { startSandbox, type Seed } from 'audience-sandbox';
import { errorLines, type Scenario } from './world.js';

const SEED: Seed = {
  contacts: ['ada', 'bob'].map((name) => ({ email: `${name}@example.com` })),
};

/** A service that is another one. */
export const services: readonly Scenario[] = [
  {
    name: 'another address of the service is asked about',
    seed: SEED,
    async play(world) {
      const other = await startSandbox({
        seed: { contacts: [{ email: 'zoe@example.com' }, ...(SEED.contacts ?? [])] },
      });
      try {
        await world.program(`new Contact('ada', { email: 'ada@example.com', firstName: 'Ada' });`);
        await world.up();
        world.calls();
        const config = { 'audience:baseUrl': other.url, 'audience:apiKey': { secret: other.apiKey } };
        const asked = await world.stack.preview({ config });
        assert.match(errorLines(asked).join('\n'), /This stack was written to .*audience:movedFrom/);
        assert.equal((await world.stack.up()).failed, true);
        assert.equal((await other.contact('ada@example.com'))?.firstName ?? null, null);
        // A person says that it is the same service: state has the new address, without a call.
        await world.up({ config: { ...config, 'audience:movedFrom': world.sandbox.url } });
        assert.deepEqual(
          other.requests().filter(({ method }) => method !== 'GET'),
          [],
        );
        assert.equal((await world.up({ config })).summary.same, 1);
      } finally {
        await other.close();
      }
    },
  },
];
