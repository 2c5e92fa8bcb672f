import assert from 'node:assert/strict';
import { startSandbox, type Seed } from 'audience-sandbox';
import { assertNoStackTrace, errorLines, warningLines, type Scenario } from './world.js';

const SEED: Seed = {
  contacts: ['ada', 'bob'].map((name) => ({ email: `${name}@example.com` })),
};
const PEOPLE = 50;
/** A preview may take this long. */
const PATIENCE_MS = 30_000;
const NOBODY_LISTENS = 'http://127.0.0.1:9';

/** A service that cannot be read, or that is another one. */
export const services: readonly Scenario[] = [
  {
    // What ends in time is the behaviour of the resources, the same for both hosts.
    only: 'native',
    name: 'a service that is down, hangs, refuses, fails or is a web page: preview ends in time and says what it did not check',
    seed: SEED,
    async play(world) {
      await world.program(`
        new ContactProperty('plan', { name: 'plan', type: 'string' });
        for (let i = 0; i < ${PEOPLE}; i += 1) new Contact('p' + i, { email: 'p' + i + '@example.com' });
        new Contacts('list', { contacts: [{ email: 'ada@example.com', firstName: 'Ada' }] });`);
      const page = { status: 200, headers: { 'content-type': 'text/html' }, body: '<html></html>' };
      const ways = [
        { hang: true },
        { respond: { status: 403 } },
        { respond: { status: 500 } },
        { respond: page },
      ] as const;
      for (const way of ['down', ...ways] as const) {
        if (way !== 'down') world.sandbox.faults.next({ ...way, times: 10_000 });
        const baseUrl = way === 'down' ? NOBODY_LISTENS : world.sandbox.url;
        const begun = Date.now();
        const config = { ...world.config, 'audience:baseUrl': baseUrl };
        const result = await world.stack.preview({ config });
        const what = `${JSON.stringify(way)}: ${result.log.join('\n')}`;
        assert.equal(result.failed, false, what);
        assert.ok(Date.now() - begun < PATIENCE_MS, `${Date.now() - begun} ms, ${what}`);
        const warnings = warningLines(result).filter((line) => line.includes('checked'));
        assert.ok(warnings.length > 0 && warnings.length < 6, what);
        assertNoStackTrace(result);
        world.sandbox.faults.clear();
      }
      await world.program(`exports.groups = audience.getSubscriptionGroups();`);
      world.sandbox.faults.next({ hang: true, times: 10_000 });
      const begun = Date.now();
      assert.equal((await world.stack.preview()).failed, true);
      assert.ok(Date.now() - begun < PATIENCE_MS, `${Date.now() - begun} ms, a data function`);
      assert.deepEqual(world.writes(), []);
    },
  },
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
