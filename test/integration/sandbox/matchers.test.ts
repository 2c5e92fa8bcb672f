import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { inspect, promisify } from 'node:util';
import { AudienceClient } from 'audience-core';
import { startSandbox, type RunningSandbox } from 'audience-sandbox';
import { assertContact, assertReceivedEmail, assertReceivedEvent, matchers } from 'audience-sandbox/matchers';
import { codeBlocks } from '../../hosts/installed/readme.js';
import { listen } from '../../hosts/ports.js';

expect.extend(matchers);

const README = resolve(__dirname, '../../sandbox/README.md');
const MODULES = resolve(__dirname, '../../../node_modules');
const TEXT = readFileSync(README, 'utf8');
const ADA = 'ada@example.com';

let sandbox: RunningSandbox;
let audience: AudienceClient;
beforeAll(async () => {
  sandbox = await startSandbox();
  audience = new AudienceClient({ baseUrl: sandbox.url, apiKey: sandbox.apiKey });
});
beforeEach(() => {
  sandbox.reset();
});
afterAll(async () => {
  audience.close();
  await sandbox.close();
});

const welcome = (email: string, firstName: string) =>
  audience.transactional.send({
    ...{ email, transactionalId: 'design-welcome' },
    dataVariables: { firstName, planName: 'Free' },
  });

/** What a matcher that fails tells. */
async function told(failing: Promise<unknown>): Promise<string> {
  return failing.then(
    () => 'it did not fail',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

test('an email that came fits by recipient, design by id or name, subject and some of its variables', async () => {
  await welcome(ADA, 'Ada');
  await expect(sandbox).toHaveReceivedEmail();
  await expect(sandbox).toHaveReceivedEmail({ to: 'Ada@Example.com', design: 'design-welcome' });
  await expect(sandbox.url).toHaveReceivedEmail({ design: 'Welcome', variables: { firstName: 'Ada' } });
  await expect(sandbox).toHaveReceivedEmail({
    subject: expect.stringContaining('Ada'),
    variables: { planName: expect.any(String) },
  });
  await expect(sandbox).not.toHaveReceivedEmail({ to: 'grace@example.com' });
});

test('a later email is waited for', async () => {
  const waiting = expect(sandbox).toHaveReceivedEmail({ to: 'late@example.com' });
  await welcome(ADA, 'Ada');
  await welcome('late@example.com', 'Late');
  await waiting;
});

test('when none comes, the message shows the nearest with its differences', async () => {
  await welcome('grace@example.com', 'Grace');
  await welcome(ADA, 'Adda');
  const text = await told(
    expect(sandbox).toHaveReceivedEmail(
      { to: ADA, design: 'Welcome', variables: { firstName: 'Ada', planName: expect.any(Number) } },
      { timeoutMs: 1 },
    ),
  );
  expect(text).toBe(
    `No email fits { to: '${ADA}', design: 'Welcome', variables.firstName: 'Ada', variables.planName: Any<Number> }.
The closest of 2 is email-2, 'Welcome' to ${ADA}. Differences:
  variables.firstName: 'Adda', not 'Ada'
  variables.planName: 'Free', not Any<Number>`,
  );
});

test('the message says that the inbox is empty, or names the unwanted email', async () => {
  const none = await told(expect(sandbox).toHaveReceivedEmail({ to: ADA }, { timeoutMs: 0 }));
  expect(none).toBe(`No email fits { to: '${ADA}' }. The sandbox has no email at all.`);
  await welcome(ADA, 'Ada');
  const one = await told(expect(sandbox).not.toHaveReceivedEmail({ to: ADA }));
  expect(one).toBe(`1 email fits and should not: email-1, 'Welcome' to ${ADA}.`);
});

test('times: exactly so many, and no more a moment later', async () => {
  const late = welcome(ADA, 'Ada').then(() => welcome(ADA, 'Ada'));
  await expect(sandbox).toHaveReceivedEmail({ to: ADA }, { times: 2 });
  await late;
  await assertReceivedEmail(sandbox, { to: ADA }, { times: 2, timeoutMs: 0 });
  expect(await told(expect(sandbox).toHaveReceivedEmail({ to: ADA }, { times: 1 }))).toBe(
    `2 emails fit { to: '${ADA}' }, not 1: email-2, 'Welcome' to ${ADA}; email-1, 'Welcome' to ${ADA}.`,
  );
  const three = told(assertReceivedEmail(sandbox, { to: ADA }, { times: 3, timeoutMs: 1 }));
  expect(await three).toContain("2 emails fit { to: 'ada@example.com' }, not 3");
  // The second one comes while the first is looked at.
  const twice = told(expect(sandbox).toHaveReceivedEmail({ to: 'bob@example.com' }, { times: 1 }));
  await welcome('bob@example.com', 'Bob');
  await welcome('bob@example.com', 'Bob');
  expect(await twice).toContain('2 emails fit');
});

test('.not waits a moment for what should not come', async () => {
  const unwanted = told(expect(sandbox).not.toHaveReceivedEmail({ to: ADA }));
  await welcome(ADA, 'Ada');
  expect(await unwanted).toContain('1 email fits and should not');
  await expect(sandbox).not.toHaveReceivedEmail({ to: ADA }, { times: 2 });
});

test('fake clocks of the test runner change nothing', async () => {
  jest.useFakeTimers();
  try {
    const waiting = expect(sandbox).toHaveReceivedEmail({ to: ADA }, { times: 1 });
    await welcome(ADA, 'Ada');
    await waiting;
    await expect(sandbox).not.toHaveReceivedEmail({ to: 'nobody@example.com' });
    sandbox.faults.next({ delayMs: 5 });
    await welcome('late@example.com', 'Late');
    await sandbox.waitForEmail({ to: 'late@example.com', timeoutMs: 1_000 });
  } finally {
    jest.useRealTimers();
  }
});

test('events and contacts have matchers of their own', async () => {
  await audience.events.send({
    ...{ email: 'new@example.com', eventName: 'signedUp', firstName: 'New' },
    eventProperties: { planName: 'Pro' },
  });
  await expect(sandbox).toHaveReceivedEvent({ eventName: 'signedUp', eventProperties: { planName: 'Pro' } });
  await expect(sandbox).toHaveContact({ email: 'new@example.com', firstName: 'New', subscribed: true });
  await expect(sandbox).toHaveReceivedEmail({ eventName: 'signedUp' });
  expect(
    await told(
      expect(sandbox).toHaveContact({ email: 'new@example.com', firstName: 'Old' }, { timeoutMs: 0 }),
    ),
  ).toContain("firstName: 'New', not 'Old'");
});

test('functions for other runners return the found item', async () => {
  await welcome(ADA, 'Ada');
  await audience.events.send({ email: ADA, eventName: 'purchased' });
  expect(await assertReceivedEmail(sandbox, { to: ADA, design: 'Welcome' })).toMatchObject({ to: ADA });
  expect(await assertReceivedEvent(sandbox, { eventName: 'purchased' })).toMatchObject({ name: 'purchased' });
  expect(await assertContact(sandbox, { email: ADA })).toMatchObject({ email: ADA });
  expect(await told(assertReceivedEmail(sandbox, { to: 'nobody@example.com' }, { timeoutMs: 0 }))).toContain(
    "to: 'ada@example.com', not 'nobody@example.com'",
  );
});

describe('an expectation that checks nothing is refused, also with .not and as an assertion', () => {
  beforeEach(async () => {
    await welcome(ADA, 'Ada');
    await audience.events.send({ email: ADA, eventName: 'purchased' });
  });
  const nothing: unknown = undefined;
  const once = { timeoutMs: 0 };

  const checks = {
    email: (expected: object) => [
      expect(sandbox).toHaveReceivedEmail(expected, once),
      expect(sandbox).not.toHaveReceivedEmail(expected),
      assertReceivedEmail(sandbox, expected, once),
    ],
    event: (expected: object) => [
      expect(sandbox).toHaveReceivedEvent(expected, once),
      expect(sandbox).not.toHaveReceivedEvent(expected),
      assertReceivedEvent(sandbox, expected, once),
    ],
    contact: (expected: object) => [
      expect(sandbox).toHaveContact({ ...expected }, once),
      expect(sandbox).not.toHaveContact({ ...expected }),
      assertContact(sandbox, { ...expected }, once),
    ],
  };

  test.each<[keyof typeof checks, object, string]>([
    ['email', { to: nothing }, "'to' is undefined; remove it"],
    ['email', { variables: { firstName: nothing } }, "'variables.firstName' is undefined; remove it"],
    ['email', { recipient: ADA }, "'recipient' is not a field of an email; its fields are to, design, "],
    ['email', { variables: 'Ada' }, "'variables' must be an object"],
    ['email', { variables: null }, "'variables' must be an object"],
    ['email', { variables: ['Ada'] }, "'variables' must be an object"],
    ['email', { subject: /Ada/ }, 'or a matcher such as expect.stringMatching(/Ada/)'],
    ['email', { to: { address: ADA } }, "'to' cannot be an object. Only variables"],
    ['email', { variables: { firstName: new Date(0) } }, "'variables.firstName' must be a text"],
    ['email', { subscriptionGroups: { g: [] } }, "'subscriptionGroups.g' must be a text"],
    ['email', Object(ADA), 'The email that is expected must be an object, such as { '],
    ['event', { name: 'purchased' }, "'name' is not a field of an event; its fields are eventName, "],
    ['event', { eventProperties: { planName: nothing } }, "'eventProperties.planName' is undefined"],
    ['contact', { emial: ADA }, "'emial' is not a field of a contact; "],
    ['contact', { email: ADA, nickname: null }, "'nickname' is not a field of a contact; "],
    ['contact', { email: ADA, properties: { teamSize: 2 } }, "'properties' cannot be an object"],
    [
      'contact',
      { subscriptionGroups: { 'group-news': true } },
      'its fields are subscriptionGroups.group-newsletter, ',
    ],
    ['contact', { teamSize: nothing }, "'teamSize' is undefined"],
  ])('%s: %j', async (kind, expected, message) => {
    for (const failure of await Promise.all(checks[kind](expected).map(told)))
      expect(failure).toContain(message);
  });

  test.each<[object, string]>([
    [{ timeout: 500 }, "'timeout' is an unknown field"],
    [{ timeoutMs: Number.NaN }, "'timeoutMs' must be a number"],
  ])('patience: %j', async (patience, message) => {
    expect(await told(expect(sandbox).toHaveReceivedEmail({ to: ADA }, patience))).toContain(message);
    expect(await told(assertReceivedEmail(sandbox, { to: ADA }, patience))).toContain(message);
  });

  test('all names, null, groups, properties and matchers for whole maps can be expected', async () => {
    await expect(sandbox).toHaveReceivedEmail({
      to: ADA,
      eventName: null,
      key: expect.any(String) as unknown,
    });
    const whole = (firstName: string): object => ({
      variables: expect.objectContaining({ firstName }) as unknown,
    });
    await expect(sandbox).toHaveReceivedEmail(whole('Ada'));
    await expect(sandbox).not.toHaveReceivedEmail(whole('Bob'));
    await expect(sandbox).toHaveReceivedEmail({ variables: {} });
    await expect(sandbox).toHaveReceivedEvent({ email: ADA, userId: expect.anything(), eventProperties: {} });
    await expect(sandbox).toHaveContact({
      ...{ email: ADA, userId: 'user-ada', teamSize: 2, jobTitle: null, subscribed: true },
      ...{ createdAt: expect.any(String) as unknown, subscriptionGroups: { 'group-newsletter': true } },
    });
  });

  test('a custom property that is declared during the wait is known', async () => {
    const waiting = expect(sandbox).toHaveContact({ email: ADA, seats: 3 });
    await audience.properties.create({ name: 'seats', type: 'number' });
    await audience.contacts.update(ADA, { seats: 3 });
    await waiting;
  });
});

test('the message shows what a matcher wants', async () => {
  await welcome(ADA, 'Ada');
  const differs = async (subject: unknown) =>
    (await told(expect(sandbox).toHaveReceivedEmail({ subject }, { timeoutMs: 0 }))).split('\n').at(-1);
  expect(await differs(expect.stringMatching(/Bob$/))).toBe(
    "  subject: 'Welcome, Ada', not StringMatching /Bob$/",
  );
  expect(await differs(expect.not.stringContaining('Ada'))).toBe(
    "  subject: 'Welcome, Ada', not StringNotContaining 'Ada'",
  );
  expect(await differs(expect.any(Number))).toBe("  subject: 'Welcome, Ada', not Any<Number>");
});

describe('without a sandbox the message says so at once', () => {
  test('a sandbox that is closed', async () => {
    const closed = await startSandbox();
    await closed.close();
    const message = `There is no sandbox at ${closed.url}: nothing listens there (ECONNREFUSED).`;
    expect(await told(expect(closed).not.toHaveReceivedEmail())).toBe(message);
    expect(await told(assertContact(closed))).toBe(message);
  });

  test.each<[unknown, string]>([
    ['http://127.0.0.1:9', 'There is no sandbox at http://127.0.0.1:9: nothing listens there (bad port).'],
    ['localhost', 'There is no sandbox at localhost: that is no URL.'],
    [undefined, 'was given undefined, not a running sandbox or its base URL'],
    [{ apiKey: 'k' }, 'was given a value of type object, not a running sandbox or its base URL'],
  ])('%j', async (target, message) => {
    expect(await told(expect(target).toHaveReceivedEmail())).toContain(message);
    expect(await told(expect(target).not.toHaveContact())).toContain(message);
    // @ts-expect-error -- a program in JavaScript can give anything
    expect(await told(assertReceivedEvent(target))).toContain(message);
  });

  test('a URL of another server', async () => {
    const elsewhere = `${sandbox.url}/elsewhere`;
    expect(await told(expect(elsewhere).toHaveReceivedEmail())).toBe(
      `There is no sandbox at ${elsewhere}: it responded with 401.`,
    );
  });

  test.each([
    ['text/html', '<h1>It works!</h1>'],
    ['application/json', '{"success":true}'],
  ])('a URL of a server that returns %s for everything', async (type, body) => {
    const other = createServer((_, response) => void response.setHeader('Content-Type', type).end(body));
    const port = await listen(other);
    const message = `There is no sandbox at http://127.0.0.1:${port}: another server listens there.`;
    expect(await told(expect(`http://127.0.0.1:${port}`).toHaveReceivedEmail())).toBe(message);
    expect(await told(assertContact(`http://127.0.0.1:${port}`))).toBe(message);
    other.close();
  });

  test('a sandbox that closes during a wait', async () => {
    const closing = await startSandbox();
    const waiting = told(expect(closing).toHaveReceivedEmail({}, { timeoutMs: 60_000 }));
    while (closing.requests().length === 0) {
      await new Promise(setImmediate);
      await fetch(`${closing.url}/v1/subscription-groups`);
    }
    await closing.close();
    expect(await waiting).toContain(`There is no sandbox at ${closing.url}: nothing listens there`);
  });
});

describe('set up as in the README', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'audience-runners-'));
    await symlink(MODULES, join(folder, 'node_modules'));
    await mkdir(join(folder, 'tests'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, args, {
      cwd: folder,
      env: { PATH: process.env['PATH'], NO_COLOR: '1' },
    }).then(
      ({ stdout, stderr }) => stdout + stderr,
      (error: unknown) => inspect(error),
    );

  test('jest, as the README shows it', async () => {
    const [config = '', program = ''] = codeBlocks(TEXT, 'js');
    await writeFile(
      join(folder, 'jest.config.js'),
      `${config}\nmodule.exports.testMatch = ['**/*.spec.js'];\nmodule.exports.transform = {};\n`,
    );
    await writeFile(join(folder, 'tests/welcome.spec.js'), program);
    // Each of its expectations fails where nobody signs up.
    const expectations = program.match(/^ {2}await expect[\s\S]*?;$/gm) ?? [];
    expect(expectations).toHaveLength(3);
    const alone = expectations.map((one) =>
      expectations.filter((other) => other !== one).reduce((rest, other) => rest.replace(other, ''), program),
    );
    const silent = alone.map((one) => one.replace(/^ {2}await audience\.events\.send\(.*;$/m, ''));
    const imports = "const { AudienceClient } = require('audience-core');\n";
    const silentTests = imports + silent.map((one) => one.replace(imports, '')).join('\n');
    await writeFile(
      join(folder, 'tests/silent.spec.js'),
      silentTests.replaceAll('nia@', 'mia@').replaceAll('Pro', 'Basic'),
    );
    const output = await run(join(MODULES, 'jest/bin/jest.js'), '--ci', '--runInBand', '--no-watchman');
    expect(output).toMatch(/PASS tests\/welcome\.spec\.js/);
    expect(output).toMatch(/FAIL tests\/silent\.spec\.js/);
    expect(output).toMatch(/Tests: +3 failed, 1 passed, 4 total/);
  });

  test('node:test, as the README shows it', async () => {
    const [program = ''] = codeBlocks(TEXT, 'mjs');
    await writeFile(join(folder, 'welcome.node.mjs'), program);
    expect(await run('--test', 'welcome.node.mjs')).toMatch(/pass 1\b/);
  });

  test('the types for an expect that is imported, as the README shows them', async () => {
    const [declaration = ''] = codeBlocks(TEXT, 'cts');
    const program = (matcher: string) =>
      `${declaration}
      import { expect as imported } from '@jest/globals';
      export const done = imported('http://127.0.0.1:4010').${matcher};`;
    await writeFile(join(folder, 'typed.cts'), program("not.toHaveContact({ email: 'a@b.c' })"));
    await writeFile(join(folder, 'wrong.cts'), program("toHaveContacts({ email: 'a@b.c' })"));
    const output = await run(
      join(MODULES, 'typescript/bin/tsc'),
      ...['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--types', 'node'],
      ...['--ignoreConfig', 'typed.cts', 'wrong.cts'],
    );
    expect(output).toMatch(/wrong\.cts\(\d+,\d+\): error TS\d+: Property 'toHaveContacts' does not exist/);
    expect(output.match(/error TS/g)).toHaveLength(1);
  });
});
