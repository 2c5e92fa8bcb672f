import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningSandbox } from 'audience-sandbox';

/** A request as a test writes it down. */
export interface CallOptions {
  readonly body?: unknown;
  /** Sent as it is, in the place of `body`. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Makes the caller give up. */
  readonly signal?: AbortSignal;
}

/** What came back. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

type Reached = Pick<RunningSandbox, 'url' | 'apiKey'>;

/** One sandbox for all tests of a file, which begins anew with each; gives the calls that tests make. */
export function forFile(start: () => Promise<RunningSandbox>) {
  let running: RunningSandbox;
  beforeAll(async () => {
    running = await start();
  });
  beforeEach(() => {
    running.reset();
  });
  afterAll(() => running.close());
  return callsOf(() => running);
}

/** An empty folder for each test; gives the paths of files in it. */
export function folderForEach() {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'audience-sandbox-'));
  });
  afterEach(() => rm(folder, { recursive: true }));
  return (name = '') => join(folder, name);
}

/** The calls that tests make. A `welcome` is an email of the default seed. */
export function callsOf(sandbox: () => Reached) {
  const to = (method: string, path: string, body?: unknown, key?: string): Promise<Answer> =>
    call(sandbox(), method, path, { body, key });
  const send = (body: unknown, key?: string) => to('POST', '/v1/transactional', body, key);
  return {
    get: (path: string) => to('GET', path),
    groups: () => to('GET', '/v1/subscription-groups'),
    contact: (who: string) => to('GET', `/v1/contacts/${encodeURIComponent(who)}`),
    update: (who: string, body: unknown) => to('PUT', `/v1/contacts/${encodeURIComponent(who)}`, body),
    create: (name: string, type: string) => to('POST', '/v1/contacts/properties', { name, type }),
    send,
    welcome: (email: string, key?: string, more: object = {}) =>
      send({ email, transactionalId: 'design-welcome', ...more }, key),
    event: (body: unknown, key?: string) => to('POST', '/v1/events/send', body, key),
    signUp: (email: string, key?: string, more: object = {}) =>
      to('POST', '/v1/events/send', { email, eventName: 'signedUp', ...more }, key),
    /** The control plane, which needs no key. */
    control: (method: string, path: string, body?: unknown) =>
      call(sandbox(), method, `/__sandbox${path}`, { body, headers: { Authorization: '' } }),
  };
}

/** Sends a request with the sandbox's own API key, unless `headers` say otherwise. */
export async function call(
  sandbox: Reached,
  method: string,
  path: string,
  { body, raw, key, headers, signal }: CallOptions = {},
): Promise<Answer> {
  const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await fetch(sandbox.url + path, {
    method,
    headers: {
      Authorization: `Bearer ${sandbox.apiKey}`,
      ...(payload === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(key === undefined ? {} : { 'Idempotency-Key': key }),
      ...headers,
    },
    ...(payload === undefined ? {} : { body: payload }),
    ...(signal === undefined ? {} : { signal }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return text;
  }
}

/** The answer to a request that was refused, to compare with. */
export function refused(message: RegExp) {
  return { success: false, message: text(message) };
}

/** Any text, or one that fits a pattern, to compare with. */
export function text(pattern = /./): unknown {
  return expect.stringMatching(pattern);
}
