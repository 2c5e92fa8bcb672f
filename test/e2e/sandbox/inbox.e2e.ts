/// <reference lib="dom" />
import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import { promisify } from 'node:util';
import { DEFAULT_SEED, startSandbox, type RunningSandbox } from 'audience-sandbox';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { listen } from '../../hosts/ports';
import { until } from '../../hosts/until';
import { callsOf, type Answer } from '../../integration/sandbox/call';
import { keepScreenshot, launchBrowser, violations } from './browser';

let browser: Browser;
let sandbox: RunningSandbox;
let context: BrowserContext;
let page: Page;
/** What went wrong inside the page, or was asked of another host. */
let complaints: string[];

beforeAll(async () => {
  browser = await launchBrowser();
  sandbox = await startSandbox();
});
afterAll(async () => {
  await browser.close();
  await sandbox.close();
});
beforeEach(() => {
  sandbox.load(DEFAULT_SEED);
  sandbox.reset();
});
afterEach(async () => {
  await context.close();
  expect(complaints).toEqual([]);
});

async function open(options: Parameters<Browser['newContext']>[0] = {}): Promise<void> {
  complaints = [];
  context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  context.setDefaultTimeout(10_000);
  context.on('request', (request) => {
    const url = request.url();
    // What a mail asks of the other host may be tried, and must be stopped: there it is seen whether it was.
    if (!url.startsWith(`${sandbox.url}/`) && !url.startsWith(otherHost))
      complaints.push(`request to ${url}`);
  });
  page = await context.newPage();
  page.on('pageerror', (error) => complaints.push(`error ${error.message}`));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog ${dialog.message()}`);
    void dialog.accept();
  });
  await page.goto(sandbox.url);
}

const { send: sendEmail, event, update, welcome, control } = callsOf(() => sandbox);

function send(to: string, dataVariables: object = { firstName: 'Ada', planName: 'Pro' }): Promise<Answer> {
  return welcome(to, undefined, { dataVariables });
}

async function press(...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}
/** Waits until the page's title tells that many unread mails: `(2)`. */
const unread = (number: string) =>
  page.waitForFunction((beginning) => document.title.startsWith(beginning), number);
/** Goes on by the Tab key until a button of that name has the focus. */
async function tabTo(name: string): Promise<void> {
  for (let steps = 0; steps < 50; steps += 1) {
    await press('Tab');
    if ((await page.locator('button:focus', { hasText: name }).count()) > 0) return;
  }
  throw new Error(`The Tab key does not lead to '${name}'.`);
}
const row = (text: string) => page.getByRole('option').filter({ hasText: text });
/** Opens the newest email to an address, and gives the frame that shows it. */
async function openEmailTo(to: string) {
  await row(to).click();
  return page.frameLocator('iframe.mail');
}
/** Sends to these, the newest first, and waits until all are shown. */
async function sendTo(...names: readonly string[]): Promise<void> {
  for (const name of [...names].reverse()) await send(`${name}@example.com`, { firstName: name });
  await row(`${names[0] ?? ''}@example.com`).waitFor();
}
/** The designs of the account, by id: their bodies. The subject is the id. */
function loadDesigns(bodies: Readonly<Record<string, string>>): void {
  sandbox.load({ designs: Object.entries(bodies).map(([id, body]) => ({ id, name: id, body })) });
}
const heading = (name: string) => page.getByRole('heading', { name });

/** Finds an element and measures it in one step: the inbox may draw it anew in between. */
async function boxOf(locator: Locator) {
  await locator.waitFor();
  const boxes = await locator.evaluateAll((elements) =>
    elements.map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return { x, y, width, height };
    }),
  );
  return boxes[0];
}

test('by keyboard alone: a mail arrives live, is searched, read and deleted; a fault makes the next call fail', async () => {
  await open();
  await heading('No emails yet').waitFor();
  await sendTo('ada');
  await sendTo('grace');
  await unread('(2)');

  await press('/');
  await page.keyboard.type('ada@');
  await row('grace@example.com').waitFor({ state: 'detached' });
  await press('ArrowDown', 'Enter');
  await heading('Welcome, Ada').waitFor();
  await page.frameLocator('iframe').getByRole('heading', { name: 'Welcome, Ada' }).waitFor();
  await unread('(1)');
  expect((await sandbox.emails()).map(({ read }) => read)).toEqual([true, false]);

  await press('/', 'Backspace', 'Escape');
  await row('grace@example.com').waitFor();
  await press('u');
  await unread('(2)');

  await press('6');
  await heading('Make the next requests fail').waitFor();
  const removal = page.getByRole('button', { name: /^Remove (all|the limit)$/ });
  expect(await removal.count()).toBe(0);
  await tabTo('Set');
  await press('Enter');
  await page.getByText('status 503').waitFor();
  await page.getByText('no hit yet').waitFor();
  expect(await removal.allTextContents()).toEqual(['Remove all']);
  expect((await send('x@example.com')).status).toBe(503);
  await page.getByText('every call works as it should').waitFor();

  await press('5');
  await row('/v1/transactional').first().waitFor();
  await press('j');
  await page.getByText('Took effect').waitFor();
  await page.getByText('status 503').first().waitFor();

  await press('1', '/', 'ControlOrMeta+A');
  await page.keyboard.type('grace@');
  await row('ada@example.com').waitFor({ state: 'detached' });
  await press('ArrowDown', 'Delete');
  await unread('(1)');
  expect((await sandbox.emails()).map(({ to }) => to)).toEqual(['ada@example.com']);
});

test('keys that come before the rows wait for the newest rows, where the list changes meanwhile', async () => {
  await open();
  await sendTo('grace', 'ada');
  const held = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()] as const;
  const asked = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()] as const;
  // Only the list searches; looks for what is newest go their own way.
  const searches = '**/__sandbox/emails?*search=*';
  let requests = 0;
  await page.route(searches, async (route) => {
    const number = requests;
    requests += 1;
    asked[number]?.resolve(undefined);
    await held[number]?.promise;
    await route.continue();
  });

  await press('/');
  await page.keyboard.insertText('ada@');
  await asked[0].promise;
  await press('ArrowDown');
  await send('hopper@example.com');
  await unread('(3)');
  await asked[1].promise;
  const first = page.waitForResponse(searches);
  held[0].resolve(undefined);
  await (await first).finished();
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(resolve))');
  held[1].resolve(undefined);
  await unread('(2)');
  expect((await sandbox.emails()).map(({ read }) => read)).toEqual([true, false, false]);
});

// Each colour scheme and each device once: what they have in common is the same for all four.
test.each([
  ['screen', 'light', { width: 1280, height: 800 }],
  ['phone', 'dark', { width: 390, height: 780 }],
] as const)(
  'every section, on a %s in %s: nothing for axe to object to',
  async (device, colorScheme, viewport) => {
    await open({ colorScheme, viewport });
    await heading('No emails yet').waitFor();
    expect(await violations(page)).toEqual([]);
    await send('ada@example.com');
    const eventProperties = { planName: 'Pro' };
    await event({ email: 'ada@example.com', eventName: 'signedUp', eventProperties });
    const respond = { status: 429, headers: { 'Retry-After': 2 } };
    sandbox.faults.next({ respond, times: 3, route: 'getContact' });
    await send('not an address');
    for (const section of ['emails', 'events', 'contacts', 'properties', 'requests', 'faults']) {
      await page.goto(`${sandbox.url}/#/${section}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      const isList = section !== 'properties' && section !== 'faults';
      if (isList) await page.getByRole('option').first().waitFor();
      expect({ section, found: await violations(page) }).toEqual({ section, found: [] });
      await keepScreenshot(page, `${section}-${device}-${colorScheme}`);
      if (!isList) continue;
      await press('j');
      await page.getByRole('heading', { level: 2 }).first().waitFor();
      expect({ section, found: await violations(page) }).toEqual({ section, found: [] });
      await keepScreenshot(page, `${section}-open-${device}-${colorScheme}`);
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      expect(overflow).toBeLessThanOrEqual(0);
    }
    await press('Escape', '?');
    await page.getByRole('dialog').waitFor();
    expect(await violations(page)).toEqual([]);
  },
);

test('the picture for the README: small enough to be read at half its width', async () => {
  await open({ viewport: { width: 1000, height: 694 }, deviceScaleFactor: 2 });
  await heading('No emails yet').waitFor();
  for (const firstName of ['Linus', 'Grace', 'Margaret'])
    await send(`${firstName.toLowerCase()}@example.com`, { firstName, planName: 'Pro' });
  const eventProperties = { planName: 'Team' };
  await event({ email: 'nia@example.com', eventName: 'signedUp', firstName: 'Nia', eventProperties });
  await send('ada@example.com', { firstName: 'Ada', planName: 'Pro' });
  const email = await openEmailTo('ada@example.com');
  await email.getByRole('heading', { name: 'Welcome, Ada' }).waitFor();
  await unread('(4)');
  await keepScreenshot(page, 'readme');
});

test('a phone: words under pictures, a date for each time, no broken code, emails as wide as it is', async () => {
  await open({ viewport: { width: 390, height: 780 } });
  await heading('No emails yet').waitFor();
  for (const title of ['Emails', 'Events', 'Contacts', 'Properties', 'Requests', 'Faults']) {
    const box = await boxOf(page.getByRole('navigation').getByText(title, { exact: true }));
    expect(box?.width).toBeGreaterThan(20);
  }
  // One row above the list, and the sections below it.
  const list = await boxOf(page.locator('main'));
  expect(list?.y).toBeLessThanOrEqual(56);
  const sections = await boxOf(page.getByRole('navigation'));
  expect(sections?.y).toBeGreaterThanOrEqual((list?.y ?? 0) + (list?.height ?? 0));
  expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBe(0);
  const lines = await page
    .locator('pre')
    .first()
    .evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return {
        shown: new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size,
        written: element.textContent.split('\n').length,
      };
    });
  expect(lines.shown).toBe(lines.written);
  await send('ada@example.com');
  const time = row('ada@example.com').locator('time');
  expect(await time.textContent()).toBe('now');
  expect(await time.getAttribute('title')).toMatch(/[A-Z][a-z]+ \d+, \d{4} at \d+:\d\d/);
  const email = await openEmailTo('ada@example.com');
  await email.getByRole('heading', { name: 'Welcome, Ada' }).waitFor();
  expect((await boxOf(page.locator('iframe.mail')))?.width).toBe(390);
  expect(await page.getByRole('button', { name: 'Tablet' }).isVisible()).toBe(false);
});

test('an email at three widths, and as text', async () => {
  loadDesigns({
    rich: '<style>p{color:red}</style><h1>Hello {{name}}</h1><p>One\n   line.<br>Another.</p><ul><li>first</li><li>second</li></ul><p><a href="https://example.com/x">Go</a></p>',
  });
  await open({ viewport: { width: 1600, height: 900 } });
  await sendEmail({ email: 'ada@example.com', transactionalId: 'rich', dataVariables: { name: 'Ada' } });
  await row('ada@example.com').click();
  const frame = page.locator('iframe.mail');
  for (const [name, width] of [
    ['Phone', 390],
    ['Tablet', 768],
  ] as const) {
    await page.getByRole('button', { name }).click();
    expect((await boxOf(frame))?.width).toBe(width);
    expect(await page.getByRole('button', { name }).getAttribute('aria-pressed')).toBe('true');
  }
  await page.getByRole('button', { name: 'Desktop' }).click();
  expect((await boxOf(frame))?.width).toBeGreaterThan(768);
  await page.getByRole('tab', { name: 'Text' }).click();
  expect(await page.getByRole('region', { name: 'Email as text' }).textContent()).toBe(
    'Hello Ada\n\nOne line.\nAnother.\n\n- first\n- second\n\nGo (https://example.com/x)',
  );
});

test('an email that arrives between press and release of the button does not change what is clicked', async () => {
  await open();
  await sendTo('meant');
  await row('meant@example.com').hover();
  await page.mouse.down();
  await sendTo('later');
  await page.mouse.up();
  await heading('Welcome, meant').waitFor();
});

test('a contact follows what changes; a request shows what it changed, and can be sent from a shell', async () => {
  await open({ permissions: ['clipboard-read', 'clipboard-write'] });
  await event({ email: "o'hara@example.com", eventName: 'signedUp', firstName: 'Ó\'Hara "$X"' });
  await press('3');
  await row("o'hara@example.com").click();
  await page.locator('.detail .facts').getByText('Ó\'Hara "$X"').waitFor();
  // What is open follows what changes.
  await update("o'hara@example.com", { firstName: 'New $(name)', companyName: "A'B" });
  await page.locator('.detail .facts').getByText('New $(name)').waitFor();
  await press('5');
  await page.getByRole('searchbox').fill("o'hara@example.com");
  await row('PUT').click();
  await page.getByRole('row', { name: `firstName Ó'Hara "$X" New $(name)` }).waitFor();
  expect(await violations(page)).toEqual([]);

  const before = sandbox.requests().at(-1);
  await page.getByRole('button', { name: 'Copy as curl' }).click();
  await page.getByText('Copied').waitFor();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  expect(text).not.toContain(sandbox.apiKey);
  await shell('sh', ['-c', text]);
  const again = sandbox.requests().at(-1);
  expect(again).toMatchObject({ method: 'PUT', status: 200, requestBody: before?.requestBody });
  expect(again?.id).not.toBe(before?.id);
});

/** Runs a program with the sandbox's address and key in its environment. */
function shell(command: string, args: readonly string[]) {
  const env = { ...process.env, AUDIENCE_BASE_URL: sandbox.url, AUDIENCE_API_KEY: sandbox.apiKey };
  return promisify(execFile)(command, args, { env, cwd: __dirname });
}

test('the clock and what is unusual about the service are in sight', async () => {
  await open();
  await page.getByText('Service default').waitFor();
  sandbox.setProfile({ preset: 'awkward' });
  sandbox.clock.advance(365 * 24 * 60 * 60 * 1000);
  await page.getByText('duplicates: refuse').waitFor();
  await page.getByText('moved').waitFor();
});

test('missing and surplus variables and events that triggered nothing are pointed out', async () => {
  await open();
  await send('ada@example.com', { firstName: 'Ada', plan: 'Pro' });
  await press('j');
  await row('1 missing').waitFor();
  await row('ada@example.com').click();
  await page
    .getByText("“planName”, which was not sent. Add the missing values to 'dataVariables'.")
    .waitFor();
  await page.getByText('The template does not use “plan”').waitFor();
  await page.getByRole('tab', { name: 'Preview' }).focus();
  await press('ArrowRight', 'ArrowRight');
  await page.getByRole('row', { name: 'planName missing' }).waitFor();

  await event({ email: 'ada@example.com', eventName: 'nobodyListens' });
  await press('2');
  await row('triggered nothing').click();
  await page.getByText('No automation listens to “nobodyListens”').waitFor();

  await event({ email: 'ada@example.com', eventName: 'signedUp' });
  await press('1');
  await row('Three things to try first').click();
  await page.getByText("Add the missing values to 'eventProperties' or the contact.").waitFor();
});

/** Another host, and what has reached it. */
let outside: Server;
let otherHost: string;
const reached: string[] = [];
beforeAll(async () => {
  outside = createServer((request, response) => {
    const { url = '', headers } = request;
    // The browser requests it, in a tab that was opened.
    if (url !== '/favicon.ico') reached.push(headers.referer === undefined ? url : `${url} with a referrer`);
    response.end();
  });
  otherHost = `http://127.0.0.1:${await listen(outside)}`;
});
afterAll(() => {
  outside.close();
});

test('a hostile mail: nothing runs, nothing leaves the frame', async () => {
  const evil = otherHost;
  const hostile = `</td></table></iframe><script>parent.document.title='owned';alert(1);fetch('${evil}/script')</script>
    <img src="${evil}/img" onerror="alert(2)"><svg onload="alert(3)"></svg><svg><a id="svg" href="${evil}/svg"><set attributeName="target" to="_self"/><text y="20">svg</text></a></svg><style>@import url(${evil}/css);body{background:url(${evil}/bg)}</style>
    <a id="js" href="javascript:parent.document.title='owned'">js</a><a id="out" href="${evil}/link">out</a><a id="top" target="_top" href="${evil}/top">top</a>
    <meta http-equiv="refresh" content="0;url=${evil}/refresh"><base href="${evil}/"><iframe src="${evil}/frame"></iframe>
    <form action="${evil}/form"><button id="submit">go</button></form><object data="${evil}/object"></object><link rel="prefetch" href="${evil}/prefetch"><b>unclosed`;
  sandbox.load({
    designs: [
      {
        id: 'escaped',
        name: 'E',
        subject: '{{x}}',
        body: '<p id="end">{{x}}</p><a href="{{link}}">{{link}}</a>',
      },
      { id: 'raw', name: 'Raw', body: '{{{x}}}<p id="end">end</p>' },
    ],
  });
  await open();
  for (const transactionalId of ['escaped', 'raw']) {
    await sendEmail({
      email: `'onload='alert&amp@${transactionalId}`,
      transactionalId,
      dataVariables: { x: hostile, link: "javascript:alert('link')" },
    });
    const frame = await openEmailTo(`@${transactionalId}`);
    await frame.locator('#end').waitFor();
    if (transactionalId === 'escaped') {
      expect(await frame.locator('#end').textContent()).toBe(hostile);
    } else {
      for (const id of ['js', 'submit']) {
        await frame.locator(`#${id}`).focus();
        await press('Enter');
      }
      // The one that gets the frame to try: the page's own policy stops it. The key itself is not waited for, as the
      // frame that it was for is gone then, and sometimes never tells that it had it.
      await frame.locator('#svg').focus();
      const stopped = page.waitForEvent('framenavigated');
      page.keyboard.press('Enter').catch(() => undefined);
      expect((await stopped).url()).toBe('chrome-error://chromewebdata/');
    }
    for (const tab of ['Text', 'Variables', 'Source']) await page.getByRole('tab', { name: tab }).click();
    // A round through the server: the effects of the email would have arrived before.
    await page.reload();
    await heading('Emails').waitFor();
    await keepScreenshot(page, `hostile-${transactionalId}`);
  }
  expect(await page.title()).toContain('Audience sandbox');
  expect(page.url().startsWith(sandbox.url)).toBe(true);
  expect(page.context().pages()).toHaveLength(1);
  expect(reached).toEqual([]);
});

test('a link opens in a new tab that knows nothing of the mail; images are loaded when the person asks', async () => {
  loadDesigns({
    linked: `<a id="plain" href="${otherHost}/plain">plain</a> <a id="top" target="_top" rel="opener" href="${otherHost}/top">top</a>
      <svg><a id="svg" href="${otherHost}/svg"><text y="20">svg</text></a></svg> <img alt="logo" src="${otherHost}/logo.png">`,
    without: '<p id="end">No image</p><img alt="" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">',
  });
  await open();
  await sendEmail({ email: 'ada@example.com', transactionalId: 'linked' });
  const frame = await openEmailTo('ada@example.com');
  for (const id of ['plain', 'top', 'svg']) {
    const opened = context.waitForEvent('page');
    await frame.locator(`#${id}`).focus();
    await press('Enter');
    const tab = await opened;
    await tab.waitForURL(`${otherHost}/${id}`);
    expect(await tab.evaluate('opener === null')).toBe(true);
    await tab.close();
  }
  expect(reached).toEqual(['/plain', '/top', '/svg']);
  expect(await violations(page)).toEqual([]);

  const load = page.getByRole('button', { name: 'Load images' });
  await load.focus();
  await press('Enter');
  await page.getByText('Images are loaded').waitFor();
  await until('the image is loaded', () => (reached.length > 3 ? true : undefined));
  expect(reached.splice(0)).toEqual(['/plain', '/top', '/svg', '/logo.png']);
  expect(page.url().startsWith(sandbox.url)).toBe(true);

  await sendEmail({ email: 'bob@example.com', transactionalId: 'without' });
  await row('bob@example.com').click();
  await frame.locator('#end').waitFor();
  expect(await load.count()).toBe(0);
  // Asked once: the next email loads its images without a question.
  await sendEmail({ email: 'cleo@example.com', transactionalId: 'linked' });
  await row('cleo@example.com').click();
  await page.getByText('Images are loaded').waitFor();
  await until('the image is loaded', () => (reached.length > 0 ? true : undefined));
});

const shownDetail = () => page.getByLabel('Details').textContent();
const deleteElsewhere = (name: string) => control('DELETE', `/emails?search=${name}@`);

test('a mail that is deleted elsewhere says so, and no other one opens; after a deletion here the next one does', async () => {
  await open();
  await sendTo('ada', 'bob', 'cleo', 'dora');
  await row('bob@example.com').click();
  await heading('Welcome, bob').waitFor();
  await deleteElsewhere('bob');
  await page.getByText('This email no longer exists').waitFor();
  expect(await page.getByRole('option').count()).toBe(3);
  expect(await page.getByRole('option', { selected: true }).count()).toBe(0);
  expect(await shownDetail()).not.toContain('Welcome');
  expect((await sandbox.emails()).map(({ read }) => read)).toEqual([false, false, false]);
  expect(await violations(page)).toEqual([]);

  // From there, j goes on to the next one. Deleting another one does not change the open one.
  await press('j');
  await heading('Welcome, cleo').waitFor();
  await deleteElsewhere('dora');
  await row('dora@example.com').waitFor({ state: 'detached' });
  await heading('Welcome, cleo').waitFor();
  await press('k');
  await heading('Welcome, ada').waitFor();
  // After a deletion here the next one opens, and keys go on from there.
  await page.getByLabel('Details').getByRole('button', { name: 'Delete' }).click();
  await heading('Welcome, cleo').waitFor();
  expect(await page.getByRole('listbox').evaluate((list) => list === document.activeElement)).toBe(true);
  await press('Delete');
  await heading('No emails yet').waitFor();
});

test('Clear asks, and then deletes what the search has found, and no more', async () => {
  await open();
  const clear = page.getByRole('button', { name: 'Clear', exact: true });
  await heading('No emails yet').waitFor();
  expect(await clear.isDisabled()).toBe(true);
  await sendTo('bob', 'anna', 'hanna');
  await page.getByRole('searchbox').fill('Anna@');
  await row('bob@example.com').waitFor({ state: 'detached' });
  expect(await page.getByRole('option').count()).toBe(2);
  await clear.focus();
  await press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Delete the 2 that “Anna@” finds?' });
  await dialog.waitFor();
  expect(await violations(page)).toEqual([]);
  await press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(await sandbox.emails()).toHaveLength(3);
  await clear.focus();
  await press('Enter');
  await dialog.getByRole('button', { name: 'Delete' }).focus();
  await press('Enter');
  await heading('Nothing found').waitFor();
  expect((await sandbox.emails()).map(({ to }) => to)).toEqual(['bob@example.com']);

  await page.getByRole('searchbox').fill('');
  await row('bob@example.com').waitFor();
  await clear.click();
  const all = page.getByRole('dialog', { name: 'Delete all emails?' });
  await all.getByRole('button', { name: 'Delete' }).click();
  await heading('No emails yet').waitFor();
  expect([await sandbox.emails(), await clear.isDisabled()]).toEqual([[], true]);
});

test('rows are dense: subject, the beginning of the text, and how long ago by the clock of the sandbox', async () => {
  await open();
  await sendTo('ada');
  expect((await boxOf(row('ada')))?.height).toBeLessThanOrEqual(54);
  expect(await row('ada').textContent()).toMatch(
    /^ada@example\.com.*now.*Welcome, ada(?!.*Welcome).*Your plan is/,
  );
  for (const [hours, shown] of [
    [2, '2 hr. ago'],
    [24, 'yesterday'],
    [240, /[A-Z][a-z]{2} \d+, \d\d:\d\d/],
  ] as const) {
    sandbox.clock.advance(hours * 60 * 60 * 1000);
    await row('ada').locator('time').getByText(shown).waitFor();
  }
});

test('10,000 mails: the list holds the rows in sight, from the first to the last', async () => {
  const agents = Array.from({ length: 8 }, async (_, agent) => {
    for (let number = agent; number < 10_000; number += 8) await send(`person-${number}@example.com`);
  });
  await Promise.all(agents);
  await open();
  await page.getByRole('option').first().waitFor();
  expect(await page.getByRole('option').count()).toBeLessThan(60);
  expect(await page.getByRole('option').first().getAttribute('aria-setsize')).toBe('10000');

  await page.getByRole('listbox').focus();
  await press('End');
  await page.locator('[role=option][aria-selected=true][aria-posinset="10000"]').waitFor();
  await press('Enter');
  await heading('Welcome, Ada').waitFor();

  await unread('(9,999)');

  // What arrives meanwhile moves neither the mark nor what is in sight.
  const marked = page.getByRole('option', { selected: true });
  const before = { text: await marked.textContent(), box: await boxOf(marked) };
  await send('late@example.com');
  await page.locator('[role=option][aria-selected=true][aria-setsize="10001"]').waitFor();
  expect({ text: await marked.textContent(), box: await boxOf(marked) }).toEqual(before);

  await press('/');
  await page.keyboard.type('person-4321@');
  await row('person-4321@example.com').waitFor();
  expect(await page.getByRole('option').count()).toBe(1);
});

test('a mail that comes before the page listens for changes is shown all the same', async () => {
  await open();
  await heading('No emails yet').waitFor();
  let listen = (): void => undefined;
  const sent = new Promise<void>((resolve) => (listen = resolve));
  await page.route('**/__sandbox/stream', async (route) => {
    await sent;
    await route.continue();
  });
  await page.reload();
  await heading('No emails yet').waitFor();
  await send('ada@example.com');
  listen();
  await row('ada@example.com').waitFor();
});

test('the page says when the sandbox ends, and reconnects when it is back', async () => {
  await open();
  await page.getByText('Live').waitFor();
  const { port } = sandbox;
  await sandbox.close();
  // At once, in a place that nobody overlooks, and told to who listens to the page.
  const banner = page.getByRole('alert').getByText('Not connected');
  await banner.waitFor({ timeout: 1_000 });
  expect((await boxOf(banner))?.width).toBeGreaterThan(1_000);
  expect(await violations(page)).toEqual([]);
  sandbox = await startSandbox({ port });
  await sendTo('ada');
  await page.getByText('Live').waitFor();
  await banner.waitFor({ state: 'hidden' });
});
