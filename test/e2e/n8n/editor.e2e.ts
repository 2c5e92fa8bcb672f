import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { selectors, type Browser, type Page } from 'playwright-core';
import { OWNER } from '../../hosts/n8n/instance.js';
import { TEMPLATE_SEED } from '../../hosts/n8n/seed.js';
import { launchBrowser } from '../sandbox/browser.js';
import { code, CREDENTIAL, mail, Published, rowsOf, saveCredential, to, wholeForFile } from './whole.js';

/** Screenshots are kept for the READMEs. */
const SCREENSHOTS = resolve(__dirname, '../../../artifacts/n8n-editor');

const whole = wholeForFile({ seed: TEMPLATE_SEED }, { hasCredential: false });
let browser: Browser;
let page: Page;

beforeAll(async () => {
  mkdirSync(SCREENSHOTS, { recursive: true });
  browser = await launchBrowser();
  page = await signIn();
}, 300_000);
afterAll(() => browser.close());

/** A page of n8n's editor, signed in as the owner. */
async function signIn(): Promise<Page> {
  selectors.setTestIdAttribute('data-test-id');
  const page = await browser.newPage({ viewport: { width: 1440, height: 1000 } });
  page.setDefaultTimeout(60_000);
  await page.goto(`${whole.n8n.url}/signin`, { waitUntil: 'domcontentloaded' });
  await page.locator('input[name="emailOrLdapLoginId"]').fill(OWNER.email);
  await page.locator('input[name="password"]').fill(OWNER.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(/home|workflow/);
  return page;
}

async function keep(name: string): Promise<void> {
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) });
}

/** Begins a workflow with one Audience step. */
async function addStep(action: string): Promise<void> {
  await page.goto(`${whole.n8n.url}/workflow/new`, { waitUntil: 'domcontentloaded' });
  await page.getByTestId('canvas-plus-button').click();
  await page.getByTestId('node-creator-search-bar').fill('Audience');
  const entries = page.getByTestId('node-creator-item-name');
  await entries
    .filter({ hasText: /^Audience/ })
    .first()
    .click();
  await entries.filter({ hasText: new RegExp(`^\\s*${action}\\s*$`) }).click();
  await page.getByTestId('ndv').waitFor();
}

/** Adds a field of a resource mapper by its name. */
async function addField(name: string): Promise<void> {
  await page
    .getByTestId('add-fields-select')
    .getByText(/Add field|Select/)
    .first()
    .click();
  await page.getByText(name, { exact: true }).click();
}

async function execute(): Promise<void> {
  await page.getByTestId('node-execute-button').click();
}

test('a person creates the credential, and it is tested at once', async () => {
  await page.goto(`${whole.n8n.url}/home/credentials/create`, { waitUntil: 'domcontentloaded' });
  await page.getByTestId('new-credential-type-select').locator('input').fill('Audience');
  await page.getByTestId('new-credential-type-select-option').filter({ hasText: 'Audience API' }).click();
  await page.getByTestId('new-credential-type-button').click();
  await page.getByTestId('parameter-input-baseUrl').locator('input').fill(whole.sandbox.url);
  await page.getByTestId('parameter-input-apiKey').locator('input').fill(`${whole.sandbox.apiKey} `);
  await page.getByTestId('credential-save-button').click();

  await page.getByTestId('credentials-config-container-test-success').waitFor();
});

test('picks a design from the list, sees its variables, sends, and the mail is there', async () => {
  await addStep('Send email');
  await page.getByTestId('resource-locator-transactionalId').locator('input').last().click();
  await page.getByTestId('rlc-item').first().waitFor();
  await keep('2-designs');
  await page.getByTestId('rlc-search').fill('rece');
  await page.getByTestId('rlc-item').filter({ hasText: 'Receipt' }).click();
  await page.getByTestId('parameter-input-email').locator('input').fill('ada@example.com');
  await page.getByTestId('parameter-input-orderNumber').locator('input').fill('A-1001');
  await page.getByTestId('parameter-input-total').locator('input').fill('129.50');
  await execute();

  await page.getByTestId('output-panel').getByText('design-receipt').first().waitFor();
  expect((await whole.sandbox.emails()).map(({ to, subject }) => `${to}: ${subject}`)).toEqual([
    'ada@example.com: Your receipt for order A-1001',
  ]);
});

test("maps a contact's properties, each with a field of its type", async () => {
  await addStep('Update contact');
  await page.getByTestId('parameter-input-contact').locator('input').last().fill('ada@example.com');
  await addField('Team size');
  await page.getByTestId('parameter-input-teamSize').locator('input').fill('12');
  await addField('Is trial user');
  await execute();

  await page.getByTestId('output-panel').getByText('ada@example.com').first().waitFor();
  await keep('4-contact');
  expect((await whole.sandbox.contacts())[0]?.properties).toMatchObject({ teamSize: 12, isTrialUser: false });

  await page.getByTestId('parameter-input-contact').locator('input').last().fill('nobody@example.com');
  await execute();
  const output = page.getByTestId('output-panel');
  await output.getByText("Could not update contact 'nobody@example.com': not found (404)").first().waitFor();
});

test('the service is down while a person edits: nothing false is shown, and the list can be asked for again', async () => {
  whole.sandbox.faults.next({ every: 1, respond: { status: 503 } });
  await addStep('Update contact');
  const notice = page.getByText('No fields loaded', { exact: false }).first();
  await notice.waitFor();
  whole.sandbox.faults.clear();
  await page.getByText('Retry', { exact: true }).click();
  await page.getByTestId('add-fields-select').waitFor();
});

test('after an error a person corrects the step and clicks the arrow in Executions: only the missing are sent', async () => {
  const { sandbox, api, n8n } = whole;
  const data = { baseUrl: sandbox.url, apiKey: sandbox.apiKey };
  CREDENTIAL.id = await saveCredential(api, CREDENTIAL.name, 'audienceApi', data);
  const sent = async () =>
    (await sandbox.emails()).map(({ to, variables }) => `${to}: ${String(variables['planName'])}`);
  sandbox.faults.next({ address: 'person-1@example.com', respond: { status: 422 } });
  const send = mail('={{ $json.email }}', { concurrency: 1 });
  const flow = await Published.publish(whole, 'arrow', { Rows: rowsOf(3), Send: send });
  const failed = await flow.run(1);
  expect(failed.data).toContain('In Executions, choose the arrow beside this one');
  expect(await sent()).toEqual(['person-0@example.com: Free']);

  await page.goto(`${n8n.url}/workflow/${flow.id}`, { waitUntil: 'domcontentloaded' });
  await page.getByTestId('canvas-node').filter({ hasText: 'Send' }).dblclick();
  const plan = page.getByTestId('parameter-input-planName').locator('input');
  await plan.fill('Pro');
  await plan.blur();
  await page.keyboard.press('Escape');
  await page.getByTestId('ndv').waitFor({ state: 'hidden' });
  await page.keyboard.press('Control+s');
  await flow.saved('Send', '"planName":"Pro"');

  await page.goto(`${n8n.url}/workflow/${flow.id}/executions`, { waitUntil: 'domcontentloaded' });
  // n8n may lay its tips over the list.
  const tips = page.getByTestId('suggested-actions-close');
  await page.addLocatorHandler(tips, (close) => close.click());
  const arrow = page.getByTestId('retry-execution-button');
  await arrow.waitFor();
  await arrow.click();
  await page.getByTestId('retry-execution-button-item-current-workflow').click();
  await page.removeLocatorHandler(tips);
  expect((await flow.ended(2)).status).toBe('success');
  expect(await sent()).toEqual([
    'person-0@example.com: Free',
    'person-1@example.com: Pro',
    'person-2@example.com: Pro',
  ]);
});

/** Chooses a design from the list. */
async function chooseDesign(name: string): Promise<void> {
  await page.getByTestId('resource-locator-transactionalId').locator('input').last().click();
  await page.getByTestId('rlc-item').filter({ hasText: name }).click();
}

test('a design without variables says so, and what was said of it is not said of the next one', async () => {
  await addStep('Send email');
  await page.getByTestId('parameter-input-email').waitFor();
  // Before a design is chosen there is nothing to complain of.
  expect(await page.getByTestId('mapping-mode-select').count()).toBe(0);
  await chooseDesign('Plain notice');
  await page.getByText("The email 'Plain notice' has no variables").first().waitFor();

  await chooseDesign('Welcome');
  await page.getByTestId('parameter-input-planName').waitFor();
  await page.getByTestId('mapping-mode-select').click();
  await page.getByText('Map Automatically').first().click();
  await page.getByText("The variables of the email 'Welcome': firstName, planName.").first().waitFor();
  expect(await page.getByText('has no variables').count()).toBe(0);
});

test('the next step is offered what an email puts out, before it was sent', async () => {
  await addStep('Send email');
  await page.keyboard.press('Escape');
  await page.getByTestId('ndv').waitFor({ state: 'hidden' });
  await page.keyboard.press('n');
  await page.getByTestId('node-creator-search-bar').fill('edit fields');
  await page.getByTestId('node-creator-item-name').filter({ hasText: 'Edit Fields' }).first().click();
  await page.getByTestId('ndv').waitFor();
  const input = page.getByTestId('ndv-input-panel');
  for (const field of ['success', 'email', 'transactionalId']) {
    await input.getByText(field, { exact: true }).first().waitFor();
  }
});

test('the picture for the README: the step has an input item, and sends an email to its address', async () => {
  const { sandbox, api, n8n } = whole;
  // A test before this one changes the design.
  sandbox.load(TEMPLATE_SEED);
  const data = { baseUrl: sandbox.url, apiKey: sandbox.apiKey };
  CREDENTIAL.id = await saveCredential(api, CREDENTIAL.name, 'audienceApi', data);
  const Start = { type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} };
  const Customer = code("return [{ json: { email: 'ada@example.com', name: 'Ada' } }];");
  const Audience = mail('={{ $json.email }}', {}, '={{ $json.name }}');
  const wires = { Start: { main: [to('Customer')] }, Customer: { main: [to('Audience')] } };
  const flow = await Published.publish(whole, 'picture', { Start, Customer, Audience }, wires);
  // As high as the picture of the inbox beside it.
  await page.setViewportSize({ width: 1200, height: 833 });
  await page.goto(`${n8n.url}/workflow/${flow.id}`, { waitUntil: 'domcontentloaded' });
  await page.getByTestId('canvas-node').filter({ hasText: 'Audience' }).dblclick();
  await execute();
  await page.getByTestId('output-panel').getByText('design-welcome').first().waitFor();
  await page.locator('.el-notification').waitFor({ state: 'detached' });
  await keep('3-email');
  expect(await sandbox.emails({ to: 'ada@example.com', variables: { firstName: 'Ada' } })).toHaveLength(1);
});
