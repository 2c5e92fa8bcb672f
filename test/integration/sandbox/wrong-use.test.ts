import { deepStrictEqual } from 'node:assert/strict';
import { SandboxError, startSandbox, type RunningSandbox } from 'audience-sandbox';
import { callsOf } from './call.js';

/** The sentence with which something that a program does is refused. */
function told(wrong: () => unknown): string {
  try {
    wrong();
    return 'it was taken';
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
}

const UNKNOWN = "'datafile' is an unknown field of the options (did you mean 'dataFile'?)";
const NOWHERE = 'There is no folder /no/such/folder for the data file. Create it, or name another file.';
test.each<[object, string]>([
  [{ datafile: 'kept.sqlite' }, UNKNOWN],
  [{ host: '192.0.2.1' }, "This machine has no address '192.0.2.1' to listen on."],
  [{ host: 'no-such-host.invalid' }, "There is no host 'no-such-host.invalid' to listen on."],
  [{ dataFile: '/no/such/folder/kept.sqlite' }, NOWHERE],
  [{ dataFile: '/tmp' }, '/tmp is a folder, not a data file. Name a file in it.'],
  [{ seed: { contacts: [{}] } }, "'contacts.0' needs an 'email'"],
])('does not start with %j, and says why', async (options, message) => {
  const starting = startSandbox(options);
  await starting.then(
    (sandbox) => sandbox.close(),
    () => undefined,
  );
  await expect(starting).rejects.toThrow(SandboxError);
  await expect(starting).rejects.toThrow(message);
});

test('does not start at a port that is in use, and names one that is free', async () => {
  const first = await startSandbox();
  const message = `Port ${first.port} is in use, .*Use port \\d+, or port 0 for any free port\\.$`;
  await expect(startSandbox({ port: first.port })).rejects.toThrow(new RegExp(message));
  await first.close();
});

describe('while the sandbox runs', () => {
  let sandbox: RunningSandbox;
  beforeEach(async () => {
    sandbox = await startSandbox();
  });
  afterEach(() => sandbox.close());
  const { groups, signUp, update } = callsOf(() => sandbox);

  test.each<[string, (sandbox: RunningSandbox) => unknown, string]>([
    ['no limit', (one) => one.limitRate({ requestsPerSecond: 0 }), "'requestsPerSecond' must be a number"],
    [
      'two steps too far',
      ({ clock }) => [1, 2].map(() => clock.advance(600 * 365 * 24 * 60 * 60 * 1000)),
      'The clock cannot be moved that far from 1970.',
    ],
    [
      'a filter that is none',
      // @ts-expect-error -- a program in JavaScript can give anything
      (one) => one.requests({ rout: 'sendEvent' }),
      "'rout' is an unknown field",
    ],
    ['a route that is none', (one) => one.requests({ route: 'sendEvents' }), "'route' must be one of"],
    ['a request that is none', (one) => one.requests({ after: 'request-9' }), "There is no call 'request-9'"],
  ])('%s is refused, and the sandbox goes on', async (_what, wrong, message) => {
    expect(told(() => wrong(sandbox))).toContain(`SandboxError: ${message}`);
    expect((await groups()).status).toBe(200);
  });

  test('returned objects are copies: changing one changes nothing', async () => {
    await signUp('new@example.com', undefined, {
      ...{ teamSize: 2, eventProperties: { planName: 'Pro' } },
      subscriptionGroups: { 'group-newsletter': true },
    });
    sandbox.faults.next({ respond: { status: 500, headers: { Via: 'a' }, body: { a: [] } } });
    const all = async () => ({
      contacts: await sandbox.contacts(),
      events: await sandbox.events(),
      emails: await sandbox.emails(),
      requests: sandbox.requests(),
      faults: sandbox.faults.list(),
      profile: sandbox.profile(),
      seed: sandbox.export(),
    });
    const before = JSON.stringify(await all());
    spoil(await all());
    expect(JSON.stringify(await all())).toBe(before);
    spoil(sandbox.faults.next({ respond: { status: 501 } }));
    expect(sandbox.faults.list()[1]).toMatchObject({ respond: { status: 501 } });
  });

  test('returned objects strictly equal plain objects', async () => {
    await update('ada@example.com', { teamSize: 3 });
    expect(sandbox.requests()[0]?.requestBody).toStrictEqual({ teamSize: 3 });
    deepStrictEqual(
      sandbox.requests().map(({ status }) => status),
      [200],
    );
    deepStrictEqual(await sandbox.events(), []);
  });

  test('given objects are copied: changing one later changes nothing', async () => {
    const seed = { subscriptionGroups: [{ id: 'g', name: 'G' }] };
    sandbox.load(seed);
    spoil(seed);
    sandbox.reset();
    expect((await groups()).body).toMatchObject([{ id: 'g' }]);
  });
});

/** Changes every text, number and list in a value. */
function spoil(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner === 'object' && inner !== null) spoil(inner);
    else Reflect.set(value, name, 'spoiled');
  }
}
