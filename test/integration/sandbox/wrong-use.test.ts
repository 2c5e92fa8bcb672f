import { deepStrictEqual } from 'node:assert/strict';
import { SandboxError, startSandbox, type RunningSandbox, type SandboxOptions } from 'audience-sandbox';
import { call } from './call.js';

/** The sentence with which something that a program does is refused. */
function told(wrong: () => unknown): string {
  try {
    wrong();
    return 'it was taken';
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
}

test.each<[object, string]>([
  [{ controlKey: ' ' }, "'controlKey' must not be empty"],
  [{ host: '' }, "'host' must not be empty"],
  [{ apiKey: 'ключ' }, "'apiKey' must be ASCII characters without a space"],
  [{ port: 70_000 }, "'port' is too large: at most 65535"],
  [{ port: Number.NaN }, "'port' must be a"],
  [{ rateLimit: { requestsPerSecond: Number.NaN } }, "'rateLimit.requestsPerSecond' must be a number"],
  [{ datafile: 'kept.sqlite' }, "'datafile' is an unknown field of the options (did you mean 'dataFile'?)"],
  [{ warn: 'me' }, "'warn' must be a function"],
])('does not start with %j', async (options, message) => {
  const starting = startSandbox(options);
  await starting.then(
    (sandbox) => sandbox.close(),
    () => undefined,
  );
  await expect(starting).rejects.toThrow(message);
});

describe('every error is a SandboxError that says what to do', () => {
  const failure = (options: SandboxOptions) =>
    startSandbox(options).then(
      (sandbox) => sandbox.close(),
      (error: unknown) => error,
    );

  test('a port that is in use', async () => {
    const first = await startSandbox();
    const error = await failure({ port: first.port });
    await first.close();
    expect(error).toBeInstanceOf(SandboxError);
    expect(error).toMatchObject({
      name: 'SandboxError',
      message: expect.stringMatching(
        new RegExp(
          `^Port ${first.port} is in use, perhaps by a sandbox that is still running\\. Use port \\d+, or port 0 for any free port\\.$`,
        ),
      ) as unknown,
    });
  });

  test.each<[SandboxOptions, RegExp]>([
    [{ host: '192.0.2.1' }, /^This machine has no address '192\.0\.2\.1' to listen on\.$/],
    [{ host: 'no-such-host.invalid' }, /^There is no host 'no-such-host\.invalid' to listen on\.$/],
    [
      { dataFile: '/no/such/folder/kept.sqlite' },
      /^There is no folder \/no\/such\/folder for the data file\. Create it, or name another file\.$/,
    ],
    [{ dataFile: '/tmp' }, /^\/tmp is a folder, not a data file\. Name a file in it\.$/],
    [{ seed: { contacts: [{}] } }, /'contacts\.0' needs an 'email'/],
  ])('%j', async (options, message) => {
    const error = await failure(options);
    expect(error).toBeInstanceOf(SandboxError);
    expect(error).toMatchObject({ message: expect.stringMatching(message) as unknown });
  });
});

describe('while the sandbox runs', () => {
  let sandbox: RunningSandbox;
  beforeEach(async () => {
    sandbox = await startSandbox();
  });
  afterEach(() => sandbox.close());

  const groups = async () => (await call(sandbox, 'GET', '/v1/subscription-groups')).status;

  test.each<[string, (sandbox: RunningSandbox) => unknown, string]>([
    ['no number', ({ clock }) => clock.advance(Number.NaN), "'advanceMs' "],
    ['a time too far', ({ clock }) => clock.advance(1e18), "'advanceMs' "],
    [
      'two steps too far',
      ({ clock }) => [1, 2].map(() => clock.advance(600 * 365 * 24 * 60 * 60 * 1000)),
      'The clock cannot be moved that far from 1970.',
    ],
    ['no limit', (one) => one.limitRate({ requestsPerSecond: 0 }), "'requestsPerSecond' must be a number"],
    ['half a burst', (one) => one.limitRate({ requestsPerSecond: 1, burst: 0.5 }), "'burst' must be a whole"],
    ['a snapshot without a name', ({ snapshots }) => snapshots.create(''), "'name' must not be empty"],
    [
      'a filter that is none',
      // @ts-expect-error -- a program in JavaScript can give anything
      (one) => one.requests({ rout: 'sendEvent' }),
      "'rout' is an unknown field",
    ],
  ])('%s is refused, and the sandbox goes on', async (_what, wrong, message) => {
    expect(told(() => wrong(sandbox))).toContain(`SandboxError: ${message}`);
    expect(await groups()).toBe(200);
    expect((await call(sandbox, 'GET', '/__sandbox/clock')).status).toBe(200);
  });

  test('returned objects are copies: changing one changes nothing', async () => {
    await call(sandbox, 'POST', '/v1/events/send', {
      body: {
        ...{ email: 'new@example.com', eventName: 'signedUp', teamSize: 2 },
        eventProperties: { planName: 'Pro' },
        subscriptionGroups: { 'group-newsletter': true },
      },
    });
    sandbox.faults.next({ respond: { status: 500, headers: { Via: 'a' }, body: { a: [] } } });
    sandbox.snapshots.create();
    const all = async () => ({
      contacts: await sandbox.contacts(),
      events: await sandbox.events(),
      emails: await sandbox.emails(),
      requests: sandbox.requests(),
      faults: sandbox.faults.list(),
      snapshots: sandbox.snapshots.list(),
      profile: sandbox.profile(),
      seed: sandbox.export(),
    });
    const before = JSON.stringify(await all());
    spoil(await all());
    spoil(sandbox.faults.next({ respond: { status: 501 }, route: 'sendEvent' }));
    expect(JSON.stringify({ ...(await all()), faults: sandbox.faults.list().slice(0, 1) })).toBe(before);
    expect(sandbox.faults.list()).toMatchObject([
      { respond: { status: 500 } },
      { respond: { status: 501 }, route: 'sendEvent' },
    ]);
  });

  test('returned objects strictly equal plain objects', async () => {
    await call(sandbox, 'PUT', '/v1/contacts/ada@example.com', { body: { teamSize: 3 } });
    const [request] = sandbox.requests();
    expect(request?.requestBody).toStrictEqual({ teamSize: 3 });
    deepStrictEqual(
      sandbox.requests().map(({ status }) => status),
      [200],
    );
    deepStrictEqual((await sandbox.contacts())[0]?.properties['teamSize'], 3);
    deepStrictEqual(await sandbox.events(), []);
  });

  test('given objects are copied: changing one later changes nothing', async () => {
    const seed = { subscriptionGroups: [{ id: 'g', name: 'G' }] };
    sandbox.load(seed);
    spoil(seed);
    sandbox.reset();
    expect((await call(sandbox, 'GET', '/v1/subscription-groups')).body).toMatchObject([{ id: 'g' }]);
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
