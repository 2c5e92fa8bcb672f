import { contract } from 'audience-core/contract';
import type { RequestLogEntry } from '../../src/account/records.js';

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

/** The request as a program on audience-core, which takes address and key from the environment; none for a bad path. */
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

function callOf({ route, path, idempotencyKey, requestBody }: Repeatable): string | undefined {
  const url = new URL(path, 'http://service');
  const query = Object.fromEntries(
    [...url.searchParams].map(([name, value]) => [name, name === 'perPage' ? Number(value) : value]),
  );
  const withQuery = Object.keys(query).length === 0 ? '' : literal(query);
  const identifier = literal(decodeURIComponent(url.pathname.split('/').at(-1) ?? ''));
  const body = literal(requestBody);
  const key = idempotencyKey === null ? '' : `, { idempotencyKey: ${literal(idempotencyKey)} }`;
  switch (route) {
    case contract.listTransactionalEmails.operationId:
      return `transactional.list(${withQuery})`;
    case contract.sendTransactionalEmail.operationId:
      return `transactional.send(${body}${key})`;
    case contract.getContact.operationId:
      return `contacts.get(${identifier})`;
    case contract.updateContact.operationId:
      return `contacts.update(${identifier}, ${body})`;
    case contract.listContactProperties.operationId:
      return `properties.list(${withQuery})`;
    case contract.createContactProperty.operationId:
      return `properties.create(${body})`;
    case contract.listSubscriptionGroups.operationId:
      return 'subscriptionGroups.list()';
    case contract.sendEvent.operationId:
      return `events.send(${body}${key})`;
    default:
      return undefined;
  }
}

function literal(value: unknown): string {
  return JSON.stringify(value ?? null, null, 2);
}

function textOf(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body);
}

/** In single quotes nothing has a meaning to a shell but the quote itself. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function originOf(baseUrl: string): string {
  return new URL(baseUrl).origin;
}
