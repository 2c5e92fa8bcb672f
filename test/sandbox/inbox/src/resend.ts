import type { OperationId } from 'audience-core/internal';
import type { RequestLogEntry } from '../../src/account/records.js';
import { quoted } from '../../src/shell.js';

/** What is needed of a request to make it once more. */
export type Repeatable = Pick<
  RequestLogEntry,
  'method' | 'path' | 'route' | 'idempotencyKey' | 'requestBody'
>;

/** The request as a line for a shell. The API key stays in the environment. */
export function asCurl(request: Repeatable, baseUrl: string): string {
  const { method, path, idempotencyKey, requestBody } = request;
  const hasBody = requestBody !== null && requestBody !== undefined;
  return [
    `curl ${quoted(originOf(baseUrl) + path)}`,
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    '-H "Authorization: Bearer $AUDIENCE_API_KEY"',
    ...(idempotencyKey === null ? [] : [`-H ${quoted(`Idempotency-Key: ${idempotencyKey}`)}`]),
    ...(hasBody ? ["-H 'Content-Type: application/json'", `-d ${quoted(textOf(requestBody))}`] : []),
  ].join(' \\\n  ');
}

/** The request as a program on audience-core, which reads address and key from the environment; none for a bad path. */
export function asTypeScript(request: Repeatable, baseUrl: string): string | undefined {
  const call = callOf(request);
  if (call === undefined) return undefined;
  return `import { AudienceClient } from 'audience-core';

// AUDIENCE_BASE_URL=${baseUrl}, and AUDIENCE_API_KEY
const audience = AudienceClient.fromEnv();
await audience.${call};
audience.close();
`;
}

/** What a call is made of, as source text. */
interface Call {
  readonly query: string;
  readonly identifier: string;
  readonly body: string;
  /** The options, after a comma; empty without an idempotency key. */
  readonly options: string;
}

const CALLS: Readonly<Record<OperationId, (call: Call) => string>> = {
  listTransactionalEmails: ({ query }) => `transactional.list(${query})`,
  sendTransactionalEmail: ({ body, options }) => `transactional.send(${body}${options})`,
  getContact: ({ identifier }) => `contacts.get(${identifier})`,
  updateContact: ({ identifier, body }) => `contacts.update(${identifier}, ${body})`,
  listContactProperties: ({ query }) => `properties.list(${query})`,
  createContactProperty: ({ body }) => `properties.create(${body})`,
  listSubscriptionGroups: () => 'subscriptionGroups.list()',
  sendEvent: ({ body, options }) => `events.send(${body}${options})`,
};

function callOf({ route, path, idempotencyKey, requestBody }: Repeatable): string | undefined {
  const write = new Map(Object.entries(CALLS)).get(route ?? '');
  const url = new URL(path, 'http://service');
  const query = Object.fromEntries(
    [...url.searchParams].map(([name, value]) => [name, name === 'perPage' ? Number(value) : value]),
  );
  return write?.({
    query: Object.keys(query).length === 0 ? '' : literal(query),
    identifier: literal(decodeURIComponent(url.pathname.split('/').at(-1) ?? '')),
    body: literal(requestBody),
    options: idempotencyKey === null ? '' : `, { idempotencyKey: ${literal(idempotencyKey)} }`,
  });
}

function literal(value: unknown): string {
  return JSON.stringify(value ?? null, null, 2);
}

function textOf(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body);
}

function originOf(baseUrl: string): string {
  return new URL(baseUrl).origin;
}
