import * as z from 'zod/mini';
import { contactRecordSchema } from '../../src/account/contact-record.js';
import {
  emailRecordSchema,
  eventRecordSchema,
  groupRecordSchema,
  propertyRecordSchema,
  requestLogEntrySchema,
} from '../../src/account/records.js';
import { faultSchema } from '../../src/faults/fault.js';
import { rateLimitSchema, type RateLimit } from '../../src/faults/rate-limit.js';
import { profileSchema } from '../../src/profile.js';

const BASE = '/__sandbox';

const emailSchema = z.extend(z.omit(emailRecordSchema, { templateId: true }), { snippet: z.string() });
export type Email = z.infer<typeof emailSchema>;
const wholeEmailSchema = z.extend(z.omit(emailSchema, { snippet: true }), { html: z.string() });
export type WholeEmail = z.infer<typeof wholeEmailSchema>;

const statusSchema = z.object({
  apiKey: z.nullable(z.string()),
  time: z.string(),
  stopped: z.boolean(),
  counts: z.record(z.string(), z.number()),
  rateLimit: z.nullable(rateLimitSchema),
  profile: profileSchema,
});
export type Status = z.infer<typeof statusSchema>;

const schemaSchema = z.object({
  properties: z.array(propertyRecordSchema),
  subscriptionGroups: z.array(groupRecordSchema),
  designs: z.array(z.object({ id: z.string(), name: z.string(), dataVariables: z.array(z.string()) })),
  automations: z.array(z.object({ id: z.string(), name: z.string(), eventName: z.string() })),
});

/** A part of a list, and how long the whole is. */
export interface Page<T> {
  readonly total: number;
  readonly items: readonly T[];
}

/** Which part of a list is wanted. */
export interface Range {
  readonly search: string;
  readonly offset: number;
  readonly limit: number;
}

/** A call that the sandbox refused, or that did not reach it. Users see the message. */
export class CallError extends Error {
  override readonly name = 'CallError';
}

async function call<Schema extends z.ZodMiniType>(
  schema: Schema,
  method: string,
  path: string,
  body?: unknown,
): Promise<z.output<Schema>> {
  const response = await send(BASE + path, {
    method,
    ...(body === undefined
      ? {}
      : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const result: unknown = await response.json();
  if (response.ok) return schema.parse(result);
  throw new CallError(
    z.object({ message: z.string() }).safeParse(result).data?.message ?? response.statusText,
  );
}

async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch {
    throw new CallError('The sandbox cannot be reached. Is it running?');
  }
}

function pageOf<Item extends z.ZodMiniType>(path: string, item: Item) {
  const schema = z.object({ total: z.int(), items: z.array(item) });
  return ({ search, offset, limit }: Range): Promise<Page<z.output<Item>>> => {
    const query = new URLSearchParams({ offset: String(offset), limit: String(limit) });
    if (search !== '') query.set('search', search);
    return call(schema, 'GET', `${path}?${query.toString()}`);
  };
}

const nothing = z.unknown();
const eventsSchema = z.object({ items: z.array(eventRecordSchema) });

/** The calls of the control plane that the page makes. */
export const api = {
  status: () => call(statusSchema, 'GET', '/status'),
  schema: () => call(schemaSchema, 'GET', '/schema'),
  emails: pageOf('/emails', emailSchema),
  events: pageOf('/events', eventRecordSchema),
  contacts: pageOf('/contacts', contactRecordSchema),
  requests: pageOf('/requests', requestLogEntrySchema),
  contact: (id: string) => call(contactRecordSchema, 'GET', `/contacts/${encodeURIComponent(id)}`),
  event: (id: string) => call(eventsSchema, 'POST', '/events/find', { id }).then(({ items }) => items[0]),
  request: (id: string) => call(requestLogEntrySchema, 'GET', `/requests/${encodeURIComponent(id)}`),
  email: (id: string) => call(wholeEmailSchema, 'GET', `/emails/${encodeURIComponent(id)}`),
  markEmail: (id: string, read: boolean) =>
    call(nothing, 'PATCH', `/emails/${encodeURIComponent(id)}`, { read }),
  deleteEmail: (id: string) => call(nothing, 'DELETE', `/emails/${encodeURIComponent(id)}`),
  clearEmails: (search: string) => {
    const query = search === '' ? '' : `?${new URLSearchParams({ search }).toString()}`;
    return call(nothing, 'DELETE', `/emails${query}`);
  },
  clearRequests: () => call(nothing, 'DELETE', '/requests'),
  faults: () => call(z.array(faultSchema), 'GET', '/faults'),
  setFault: (fault: object) => call(faultSchema, 'POST', '/faults', fault),
  removeFault: (id: string) => call(nothing, 'DELETE', `/faults/${encodeURIComponent(id)}`),
  clearFaults: () => call(nothing, 'DELETE', '/faults'),
  limitRate: (limit: RateLimit) => call(nothing, 'PUT', '/rate-limit', limit),
  liftRateLimit: () => call(nothing, 'DELETE', '/rate-limit'),
  reset: () => call(nothing, 'POST', '/reset'),
};

/** Base URL of the service: that of this page. */
export const serviceUrl = location.origin + location.pathname.replace(/\/$/, '');

/** Where the body of an email is shown as a page that can do nothing. */
export function emailBodyUrl(id: string, withImages: boolean): string {
  return `${BASE}/emails/${encodeURIComponent(id)}/html${withImages ? '?images=load' : ''}`;
}

/** Calls back with the kinds of things that have changed, and whether the sandbox can be reached. */
export function follow(changed: (kinds: ReadonlySet<string>) => void, live: (isLive: boolean) => void): void {
  const stream = new EventSource(`${BASE}/stream`);
  const kindsSchema = z.array(z.string());
  stream.addEventListener('open', () => {
    live(true);
    // Changes before the connection, or while it was cut, were not announced.
    changed(new Set(['everything']));
  });
  stream.addEventListener('error', () => {
    live(false);
  });
  stream.addEventListener('change', (event: MessageEvent<string>) => {
    changed(new Set(kindsSchema.parse(JSON.parse(event.data))));
  });
}
