import { createServer } from 'node:http';
import {
  connectSandbox,
  SandboxError,
  startSandbox,
  type ContactFilter,
  type EmailFilter,
  type EventFilter,
  type RunningSandbox,
  type SandboxQueries,
} from 'audience-sandbox';
import { forFile } from './call.js';
import { listen } from '../../hosts/ports.js';

let running: RunningSandbox;
const { groups, contact, update, ...calls } = forFile(async () => (running = await startSandbox()));

const VARIABLES = { order: { lines: [1, 2], paid: true } };
const welcome = (email: string, firstName: string, key?: string) =>
  calls.welcome(email, key, { dataVariables: { firstName, ...VARIABLES } });
const signUp = (email: string, eventProperties: object = {}) =>
  calls.signUp(email, `${email}-key`, { eventProperties });

/** What a call that fails says. */
const told = (failing: Promise<unknown>): Promise<string> =>
  failing.then(
    () => 'it did not fail',
    (error: unknown) =>
      error instanceof SandboxError ? error.message : `not a SandboxError: ${String(error)}`,
  );

describe.each([
  ['started here', () => running],
  ['connected', () => connectSandbox(`${running.url}/`)],
] as const)('a sandbox that is %s', (_name, connect) => {
  let sandbox: SandboxQueries;
  beforeEach(() => {
    sandbox = connect();
  });

  test.each<[EmailFilter, string]>([
    [{}, 'ada bob ada'],
    [{ to: 'ADA@example.com' }, 'ada ada'],
    [{ design: 'design-welcome', variables: { firstName: 'Bob' } }, 'bob'],
    [{ design: 'Onboarding', eventName: 'signedUp' }, 'ada'],
    [{ subject: 'Welcome, Ada' }, 'ada'],
    [{ key: 'k-1' }, 'bob'],
    [{ key: null }, 'ada'],
    [{ variables: { order: { paid: true } } }, 'ada bob'],
    [{ variables: { order: { lines: [1] } } }, ''],
    [{ variables: { order: { lines: [1, 2] } } }, 'ada bob'],
    [{ variables: { firstName: 'ada' } }, ''],
    [{ variables: { firstName: 'Ada', none: null } }, 'ada ada'],
  ])('emails(%j) are those to %j', async (filter, expected) => {
    await welcome('ada@example.com', 'Ada');
    await welcome('bob@example.com', 'Bob', 'k-1');
    await signUp('ada@example.com');
    const found = await sandbox.emails(filter);
    expect(found.map(({ to }) => to.replace(/@.*/, '')).join(' ')).toBe(expected);
    for (const { html } of found) expect(html).toContain('<h1>');
  });

  test.each<[EventFilter, number]>([
    [{}, 2],
    [{ name: 'signedUp', properties: { planName: 'Pro' } }, 1],
    [{ email: 'ADA@example.com', userId: 'user-ada' }, 1],
    [{ email: 'ADA@example.com', userId: null }, 0],
    [{ key: 'ada@example.com-key' }, 1],
    [{ name: 'signedup' }, 0],
  ])('events(%j) are %d', async (filter, count) => {
    await signUp('ada@example.com', { planName: 'Pro', seats: 2 });
    await signUp('zoe@example.com', { planName: 'Free' });
    expect(await sandbox.events(filter)).toHaveLength(count);
  });

  test.each<[ContactFilter, string[]]>([
    [{}, ['contact-1', 'contact-2']],
    [{ email: 'ADA@example.com', firstName: 'Ada', subscribed: true }, ['contact-1']],
    [{ userId: null }, ['contact-2']],
    [{ subscriptionGroups: { 'group-newsletter': true } }, ['contact-1']],
    [{ properties: { teamSize: 2, isTrialUser: false } }, ['contact-1']],
    [{ properties: { teamSize: null } }, ['contact-2']],
    [{ id: 'contact-2', source: null }, ['contact-2']],
  ])('contacts(%j) are %j', async (filter, ids) => {
    expect((await sandbox.contacts(filter)).map(({ id }) => id)).toEqual(ids);
  });

  test.each(['ada@example.com', 'ADA@example.com', 'user-ada', 'contact-1'])(
    'contact(%j) is found, and deleted',
    async (named) => {
      expect(await sandbox.contact(named)).toMatchObject({ id: 'contact-1', firstName: 'Ada' });
      await sandbox.deleteContact(named);
      expect(await sandbox.contact(named)).toBeUndefined();
      expect((await contact('ada@example.com')).status).toBe(404);
      expect((await contact('user-ada')).status).toBe(404);
      expect(await told(sandbox.deleteContact(named))).toContain('There is no contact with');
      // Another contact can have its address.
      await signUp('ada@example.com');
      expect(await sandbox.contact('ada@example.com')).toMatchObject({ id: 'contact-3', firstName: null });
    },
  );

  test('a wait ends as soon as a thing fits: one that is there, one that comes, one that changes', async () => {
    await welcome('first@example.com', 'Ada');
    const timeoutMs = 20_000;
    const waits = [
      sandbox.waitForEmail({ to: 'first@example.com' }),
      sandbox.waitForEmail({ variables: { firstName: 'Bob' }, timeoutMs }),
      sandbox.waitForEvent({ properties: { planName: 'Pro' }, timeoutMs }),
      sandbox.waitForContact({ email: 'grace@example.com', firstName: 'Amazing', timeoutMs }),
    ];
    await waits[0];
    await welcome('bob@example.com', 'Bob');
    await signUp('zoe@example.com', { planName: 'Pro' });
    await update('grace@example.com', { firstName: 'Amazing' });
    expect(await Promise.all(waits)).toMatchObject([
      { id: 'email-1', to: 'first@example.com', design: 'Welcome', variables: { firstName: 'Ada' } },
      { to: 'bob@example.com' },
      { name: 'signedUp', properties: { planName: 'Pro' } },
      { id: 'contact-2' },
    ]);
  });

  test('after: waits for the next one, for a second code to one address', async () => {
    const to = 'ada@example.com';
    await welcome(to, 'Ada');
    const first = await sandbox.waitForEmail({ to });
    const next = sandbox.waitForEmail({ to, after: first.id, timeoutMs: 20_000 });
    await calls.control('PATCH', `/emails/${first.id}`, { read: true });
    await welcome('bob@example.com', 'Bob');
    await welcome(to, 'Ada', 'resend');
    expect(await next).toMatchObject({ id: 'email-3', key: 'resend' });
    expect(await sandbox.emails({ to, after: first.id })).toMatchObject([{ id: 'email-3' }]);
    expect(await sandbox.waitForEmail({ to, after: 'email-1' })).toMatchObject({ id: 'email-3' });
    expect(await told(sandbox.waitForEmail({ to, after: 'email-3', timeoutMs: 1 }))).toContain(
      'No email came after email-3',
    );
    await signUp('zoe@example.com');
    await signUp('zoe@example.org');
    expect(await sandbox.events({ after: 'event-1' })).toMatchObject([{ email: 'zoe@example.org' }]);
  });

  test('clear() empties emails, events, log and remembered keys, and nothing else', async () => {
    await welcome('ada@example.com', 'Ada', 'k');
    await signUp('zoe@example.com');
    await connect().clear();
    const left = [await sandbox.emails(), await sandbox.events(), running.requests()];
    expect(left).toEqual([[], [], []]);
    expect(await sandbox.contacts({ email: 'zoe@example.com' })).toHaveLength(1);
    expect((await welcome('ada@example.com', 'Ada', 'k')).status).toBe(200);
    expect(await sandbox.emails({ key: 'k' })).toMatchObject([{ id: 'email-3' }]);
  });

  test('a time-out shows the closest one field by field: of those that differ as little, the newest', async () => {
    const wanted = { to: 'bob@example.com', variables: { firstName: 'Bob', planName: 'Pro' } };
    const filter = "{ to: 'bob@example.com', variables: { firstName: 'Bob', planName: 'Pro' } }";
    const wait = () => told(sandbox.waitForEmail({ ...wanted, timeoutMs: 1 }));
    expect(await wait()).toBe(`No email fits ${filter} after 1 ms. There is no email at all.`);
    await welcome('bob@example.com', 'Ada');
    await welcome('bob@example.com', 'Rob');
    await welcome('ada@example.com', 'Ada');
    expect(await wait()).toBe(
      [
        `No email fits ${filter} after 1 ms. The closest of 3 is email-2, with these differences:`,
        "  variables.firstName: 'Rob', not 'Bob'",
        "  variables.planName: not set, not 'Pro'",
      ].join('\n'),
    );
  });

  test.each<[string, (sandbox: SandboxQueries) => Promise<unknown>, string]>([
    ['a lost value', (one) => one.emails({ to: undefined }), "'to' is undefined in the filter"],
    ['one of a wait', (one) => one.waitForEvent({ name: undefined }), "'name' is undefined in the filter"],
    // @ts-expect-error -- a program in JavaScript can give anything
    ['an unknown field', (one) => one.emails({ design_: 'a' }), "'design_' is an unknown field of a filter"],
    // @ts-expect-error -- as above
    ['a matcher', (one) => one.emails({ to: expect.any(String) as unknown }), "'to' must be"],
    ['one within', (one) => one.emails({ variables: { a: expect.anything() as unknown } }), "'variables.a' "],
    ['no time', (one) => one.waitForContact({ timeoutMs: Number.NaN }), "'timeoutMs' must be"],
    ['too long a time', (one) => one.waitForContact({ timeoutMs: 60_001 }), "'timeoutMs' is too large"],
    [
      'a design that is none',
      (one) => one.emails({ design: 'Wellcome' }),
      "'Wellcome'. The sandbox has: Welcome, ",
    ],
    [
      'one in a wait',
      (one) => one.waitForEmail({ design: 'welcome' }),
      "There is no design or automation 'welcome'",
    ],
    ['an email that is none', (one) => one.emails({ after: 'email-9' }), "There is no email 'email-9'"],
    ['an event that is none', (one) => one.waitForEvent({ after: 'e' }), "There is no event 'e'"],
  ])('refuses %s', async (_what, wrong, message) => {
    await welcome('ada@example.com', 'Ada');
    expect(await told(wrong(sandbox))).toContain(message);
  });
});

test('1,100 events hide nothing, in a list, a wait or the log', async () => {
  for (let group = 0; group < 22; group += 1)
    await Promise.all(Array.from({ length: 50 }, (_, index) => signUp(`p${group}-${index}@example.com`)));
  const connected = connectSandbox(running.url);
  for (const sandbox of [running, connected]) {
    expect(await sandbox.events()).toHaveLength(1_100);
    const oldest = { email: 'p0-0@example.com', timeoutMs: 0 };
    expect(await sandbox.waitForEvent(oldest)).toMatchObject({ name: 'signedUp' });
    expect(await sandbox.requests({ route: 'sendEvent' })).toHaveLength(1_100);
  }
});

describe('a sandbox that runs elsewhere', () => {
  test('is reset, made to fail, and moved in time', async () => {
    const sandbox = connectSandbox(running.url);
    await sandbox.faults.next({ respond: { status: 503 }, times: 2 });
    expect((await groups()).status).toBe(503);
    await sandbox.faults.clear();
    await sandbox.setProfile({ duplicates: 'refuse' });
    await sandbox.clock.advance(86_400_000);
    expect(running.clock.now()).toBeGreaterThan(Date.now() + 80_000_000);
    await welcome('ada@example.com', 'Ada', 'k');
    expect((await welcome('ada@example.com', 'Ada', 'k')).status).toBe(409);
    const carriedOut = { route: 'sendTransactionalEmail', applied: true };
    expect(await sandbox.requests(carriedOut)).toMatchObject([{ key: 'k' }]);
    await sandbox.reset();
    expect(await sandbox.emails()).toEqual([]);
    expect(running.profile().duplicates).toBe('replay');
    expect(await told(sandbox.faults.next({}))).toContain('must have one of respond');
  });

  test("does not depend on fetch, which hangs under a runner's fake timers", async () => {
    const { fetch } = globalThis;
    globalThis.fetch = () => new Promise(() => undefined);
    jest.useFakeTimers();
    try {
      expect(await connectSandbox(running.url).contacts()).toHaveLength(2);
      expect(await told(connectSandbox(running.url).waitForEmail({ timeoutMs: 1 }))).toContain(
        'No email fits',
      );
    } finally {
      jest.useRealTimers();
      globalThis.fetch = fetch;
    }
  });

  test('may have a control key', async () => {
    const locked = await startSandbox({ controlKey: 'secret' });
    expect(await told(connectSandbox(locked.url).emails())).toContain('control key');
    expect(await connectSandbox(locked.url, { controlKey: 'secret' }).contacts()).toHaveLength(2);
    await locked.close();
  });

  test.each([undefined, '', 'localhost:4010', 'http://'])('is not at %j', (url) => {
    expect(() => connectSandbox(url)).toThrow(/needs the base URL of a sandbox.*AUDIENCE_BASE_URL/);
  });

  test('is missed where nothing, or something else, listens', async () => {
    const closed = await startSandbox();
    await closed.close();
    expect(await told(connectSandbox(closed.url).emails())).toBe(
      `There is no sandbox at ${closed.url} (ECONNREFUSED). Start one, or correct the URL.`,
    );
    const other = createServer((_, response) => response.end('<h1>It works!</h1>'));
    const url = `http://127.0.0.1:${await listen(other)}`;
    expect(await told(connectSandbox(url).waitForEmail())).toContain(`There is another server at ${url}`);
    other.close();
  });

  test('closes: each wait ends, and so does one that begins later', async () => {
    const sandbox = await startSandbox();
    const filter = { to: 'ada@example.com' };
    const waits = [sandbox, connectSandbox(sandbox.url)].map((one) => told(one.waitForEmail(filter)));
    await sandbox.contacts();
    await sandbox.close();
    const message = "The sandbox was closed during the wait: no email fits { to: 'ada@example.com' }.";
    expect(await waits[0]).toBe(message);
    expect(await waits[1]).toContain('There is no sandbox at');
    expect(await told(sandbox.waitForEmail(filter))).toBe(message);
  });
});
