import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { inspect, promisify } from 'node:util';
import { AudienceClient } from 'audience-core';
import { startSandbox } from 'audience-sandbox';
import type { RunningSandbox } from 'audience-sandbox';
import { assertContact, assertReceivedEmail, assertReceivedEvent, matchers } from 'audience-sandbox/matchers';
import { codeBlocks } from '../../hosts/installed/readme.js';

expect.extend(matchers);

const README = resolve(__dirname, '../../sandbox/README.md');
const MODULES = resolve(__dirname, '../../../node_modules');
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

test('an email that is still to come is waited for', async () => {
  const waiting = expect(sandbox).toHaveReceivedEmail({ to: 'late@example.com' });
  await welcome(ADA, 'Ada');
  await welcome('late@example.com', 'Late');
  await waiting;
});

test('when none comes, the nearest is shown, with each thing in which it differs', async () => {
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
The nearest of 2: email-2, 'Welcome' to ${ADA}. It differs in
  variables.firstName: 'Adda', not 'Ada'
  variables.planName: 'Free', not Any<Number>`,
  );
});

test('an empty inbox is said to be empty, and what should not be there is named', async () => {
  const none = await told(expect(sandbox).toHaveReceivedEmail({ to: ADA }, { timeoutMs: 0 }));
  expect(none).toBe(`No email fits { to: '${ADA}' }. There is none at all.`);
  await welcome(ADA, 'Ada');
  const one = await told(expect(sandbox).not.toHaveReceivedEmail({ to: ADA }));
  expect(one).toBe(`There is an email that fits: email-1, 'Welcome' to ${ADA}.`);
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

test('other runners have functions, which give what they found', async () => {
  await welcome(ADA, 'Ada');
  await audience.events.send({ email: ADA, eventName: 'purchased' });
  expect(await assertReceivedEmail(sandbox, { to: ADA, design: 'Welcome' })).toMatchObject({ to: ADA });
  expect(await assertReceivedEvent(sandbox, { eventName: 'purchased' })).toMatchObject({ name: 'purchased' });
  expect(await assertContact(sandbox, { email: ADA })).toMatchObject({ email: ADA });
  expect(await told(assertReceivedEmail(sandbox, { to: 'nobody@example.com' }, { timeoutMs: 0 }))).toContain(
    "to: 'ada@example.com', not 'nobody@example.com'",
  );
});

test('where there is no sandbox, that is said at once', async () => {
  expect(await told(expect(`${sandbox.url}/elsewhere`).toHaveReceivedEmail())).toContain(
    'There is no sandbox at',
  );
});

describe('as people set it up', () => {
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
    const [config = '', program = ''] = codeBlocks(readFileSync(README, 'utf8'), 'js');
    await writeFile(
      join(folder, 'jest.config.js'),
      `${config}\nmodule.exports.testMatch = ['**/*.spec.js'];\nmodule.exports.transform = {};\n`,
    );
    await writeFile(
      join(folder, 'tests/welcome.spec.js'),
      `const { AudienceClient } = require('audience-core');
      const audience = AudienceClient.fromEnv();
      const signUp = (email) =>
        audience.transactional.send({ email, transactionalId: 'design-welcome', dataVariables: { firstName: 'Ada' } });
      afterAll(() => audience.close());
      ${program}`,
    );
    const output = await run(join(MODULES, 'jest/bin/jest.js'), '--ci', '--runInBand', '--no-watchman');
    expect(output).toMatch(/Tests: +1 passed, 1 total/);
  });

  test('node:test', async () => {
    await writeFile(
      join(folder, 'welcome.node.js'),
      `const { AudienceClient } = require('audience-core');
      const { after, before, test } = require('node:test');
      const globalSetup = require('audience-sandbox/global-setup');
      const globalTeardown = require('audience-sandbox/global-teardown');
      const { assertReceivedEmail } = require('audience-sandbox/matchers');
      before(globalSetup);
      after(globalTeardown);
      test('it arrives', async () => {
        const audience = AudienceClient.fromEnv();
        await audience.transactional.send({ email: 'ada@example.com', transactionalId: 'design-welcome' });
        await assertReceivedEmail(process.env.AUDIENCE_BASE_URL, { to: 'ada@example.com' });
        audience.close();
      });`,
    );
    expect(await run('--test', 'welcome.node.js')).toMatch(/pass 1\b/);
  });
});
