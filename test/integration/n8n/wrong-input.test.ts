import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { createServer } from 'node:net';
import { emailParameters, locator, mapped, setUp, writes } from './support.js';
import type { RunOptions, Setup } from './support.js';

let setup: Setup;
beforeAll(async () => {
  setup = await setUp();
});
beforeEach(() => {
  setup.sandbox.reset();
});
afterAll(() => setup.close());

const SOMEONE: IDataObject[] = [{ email: 'ada@example.com', firstName: 'Ada' }];

async function failureOf(parameters: INodeParameters, items = SOMEONE, options: RunOptions = {}) {
  const { error, outcome } = await setup.run(parameters, items, options);
  expect(outcome.status).toBe('error');
  return error;
}

function contactUpdate(contact: string, fields: IDataObject): INodeParameters {
  return {
    resource: 'contact',
    operation: 'update',
    contact: locator('email', contact),
    fields: mapped(fields),
    options: { retries: 0 },
  };
}

describe('each wrong input ends in one clear sentence and the way out, and nothing is written', () => {
  afterEach(() => {
    expect(writes(setup.sandbox).filter(({ applied }) => applied)).toEqual([]);
    expect(setup.sandbox.emails()).toEqual([]);
  });

  test('wrong API key', async () => {
    const credentials = { audienceApi: { baseUrl: setup.sandbox.url, apiKey: 'a-key-of-another-account' } };
    const error = await failureOf(emailParameters(), SOMEONE, { credentials });
    expect(error).toMatchObject({
      message: `Could not list transactional emails: the service at ${setup.sandbox.url} does not accept the API key (401) [item 0]`,
      httpCode: '401',
      itemIndex: 0,
    });
    expect(error?.description).toMatch(/Check that the key is complete, not revoked, and of this service\.$/);
    expect(JSON.stringify(error)).not.toContain('a-key-of-another-account');
  });

  test('empty API key', async () => {
    const credentials = { audienceApi: { baseUrl: setup.sandbox.url, apiKey: '' } };
    const error = await failureOf(emailParameters(), SOMEONE, { credentials });
    expect(error?.message).toBe(
      "The credential cannot be used: 'API Key' is missing: give the API key of your account",
    );
  });

  test('service not running', async () => {
    const credentials = { audienceApi: { baseUrl: await unusedAddress(), apiKey: 'key' } };
    const error = await failureOf(contactUpdate('ada@example.com', { source: 'shop' }), SOMEONE, {
      credentials,
    });
    expect(error?.message).toMatch(
      /^Could not update contact 'ada@example\.com': nothing listens at http:\/\/127\.0\.0\.1:\d+ \[item 0\]$/,
    );
    expect(error?.description).toMatch(/Check that the service runs and that the base URL is right/);
  });

  test('a base URL that would send the key in the open', async () => {
    const credentials = { audienceApi: { baseUrl: 'http://api.example.com', apiKey: 'key' } };
    const error = await failureOf(emailParameters(), SOMEONE, { credentials });
    expect(error?.message).toContain("'Base URL' must begin with https://");
    expect(error?.message).toContain('Allow Unencrypted Connection');
  });

  test("property name 'First Name'", async () => {
    const error = await failureOf({
      resource: 'contactProperty',
      operation: 'create',
      name: 'First Name',
      type: 'string',
    });
    expect(error?.message).toMatch(
      /^The contact property 'First Name' cannot be created: .*not camelCase.*\[item 0\]$/,
    );
    expect(error?.itemIndex).toBe(0);
  });

  test('a contact property that does not exist', async () => {
    const error = await failureOf(contactUpdate('ada@example.com', { teamsize: 5 }));
    expect(error?.message).toBe("There is no contact property 'teamsize' [item 0]");
    expect(error?.description).toContain('teamSize');
  });

  test('subscribed: true', async () => {
    const error = await failureOf(contactUpdate('ada@example.com', { subscribed: true }));
    expect(error?.message).toMatch(
      /^The contact 'ada@example\.com' cannot be updated: 'Subscribed' can only be set to false: .*\[item 0\]$/,
    );
  });

  test('unknown contact', async () => {
    const error = await failureOf(contactUpdate('nobody@example.com', { source: 'shop' }));
    expect(error).toMatchObject({
      message: "Could not update contact 'nobody@example.com': not found (404) [item 0]",
      httpCode: '404',
    });
    expect(error?.description).toContain(
      'Check the email address or userId; the contact has to exist already.',
    );
  });

  test('an email that is none', async () => {
    const error = await failureOf(emailParameters(), [{ email: 'ada at example', firstName: 'Ada' }]);
    expect(error?.message).toBe(
      "The email 'Welcome' to 'ada at example' cannot be sent: 'To Email' must be an email address, such as ada@example.com [item 0]",
    );
  });

  test('an expression that gives nothing', async () => {
    const error = await failureOf(emailParameters(), [{ firstName: 'Ada' }]);
    expect(error?.message).toBe("'To Email' is empty [item 0]");
    expect(error?.description).toContain('check that the expression gives a value for this item');
  });

  test('an event without a contact', async () => {
    const error = await failureOf({ resource: 'event', operation: 'send', eventName: 'signedUp' });
    expect(error?.message).toBe("The event 'signedUp' has no contact [item 0]");
  });

  test('a change of email on a contact that is chosen by its email', async () => {
    const error = await failureOf(contactUpdate('ada@example.com', { email: 'countess@example.com' }));
    expect(error?.message).toContain('cannot be changed while the contact is chosen by its email');
    expect(error?.description).toContain("Set 'Contact' to 'By User ID'");
  });

  test('an item further down: nothing goes out for the items before it either', async () => {
    const items = [
      { email: 'ada@example.com', firstName: 'Ada' },
      { email: 'grace@example.com', firstName: 'Grace' },
      { email: 'not an address', firstName: 'Nobody' },
    ];
    const error = await failureOf(emailParameters(), items);
    expect(error?.itemIndex).toBe(2);
    expect(writes(setup.sandbox)).toEqual([]);
  });
});

async function unusedAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('The server had no port.');
  return `http://127.0.0.1:${address.port}`;
}
