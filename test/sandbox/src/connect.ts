import http, { type RequestOptions } from 'node:http';
import https from 'node:https';
import { text } from 'node:stream/consumers';
import * as z from 'zod/mini';
import { contactRecordSchema } from './account/contact-record.js';
import { requestLogEntrySchema, type RequestLogEntry } from './account/records.js';
import { CONTROL_PREFIX } from './control/prefix.js';
import type { RequestFilter } from './control/requests.js';
import { faultSchema, type Fault, type NewFault } from './faults/fault.js';
import { readFilter, readWait } from './find/finder.js';
import type { SandboxQueries } from './find/queries.js';
import { queriesOf } from './find/source.js';
import type { NewProfile } from './profile.js';
import { SandboxError } from './sandbox-error.js';

/** A sandbox that runs elsewhere: in another process, in a container, or started by `globalSetup`. */
export interface ConnectedSandbox extends SandboxQueries {
  readonly url: string;
  /** The requests that were received, in the order of their responses. */
  requests(filter?: RequestFilter): Promise<RequestLogEntry[]>;
  /** Goes back to the start: the seed; no emails, events, log, keys or faults; first rate limit and profile. */
  reset(): Promise<void>;
  /** Empties emails, events and the log of requests, and forgets the used idempotency keys. The rest stays. */
  clear(): Promise<void>;
  readonly faults: {
    /** Makes the next calls fail. */
    next(fault: NewFault): Promise<Fault>;
    clear(): Promise<void>;
  };
  readonly clock: {
    /** Moves the time by that many milliseconds. */
    advance(milliseconds: number): Promise<void>;
  };
  setProfile(profile: NewProfile): Promise<void>;
}

/** How to reach a sandbox that runs elsewhere. */
export interface ConnectOptions {
  /** The key that it was started with as `--control-key`. */
  readonly controlKey?: string | undefined;
}

/**
 * Gives what a test needs of a sandbox that runs already. Nothing is sent until it is asked something.
 *
 * @param url its base URL, such as `process.env.AUDIENCE_BASE_URL`
 * @throws SandboxError when that is no URL; each call, when there is no sandbox
 */
export function connectSandbox(
  url: string | undefined,
  { controlKey }: ConnectOptions = {},
): ConnectedSandbox {
  if (url === undefined || !/^https?:/.test(url) || !URL.canParse(url))
    throw new SandboxError({ code: 'no_sandbox_url', url: String(url) });
  const base = url.replace(/\/+$/, '');
  const call = callerOf(base, controlKey);
  const done = async (method: string, path: string, body?: unknown) => {
    await call(doneSchema, method, path, body);
  };
  return {
    url: base,
    ...queriesOf({
      find: async (kind, filter) =>
        (await call(listOf(kind.item), 'POST', `/${kind.noun}s/find`, readFilter(kind, filter))).items,
      wait: async (kind, wanted) => {
        const { filter, timeoutMs } = readWait(kind, wanted);
        return call(kind.item, 'POST', `/${kind.noun}s/wait`, { ...filter, timeoutMs });
      },
      contact: (identifier) =>
        call(contactRecordSchema, 'GET', `/contacts/${encodeURIComponent(identifier)}`).catch(
          (error: unknown) => {
            if (error instanceof SandboxError && error.status === 404) return undefined;
            throw error;
          },
        ),
      deleteContact: (identifier) => done('DELETE', `/contacts/${encodeURIComponent(identifier)}`),
    }),
    requests: async (filter = {}) =>
      (await call(listOf(requestLogEntrySchema), 'POST', '/requests/find', filter)).items,
    reset: () => done('POST', '/reset'),
    clear: () => done('POST', '/clear'),
    faults: {
      next: (fault) => call(faultSchema, 'POST', '/faults', fault),
      clear: () => done('DELETE', '/faults'),
    },
    clock: { advance: (milliseconds) => done('PUT', '/clock', { advanceMs: milliseconds }) },
    setProfile: (profile) => done('PUT', '/profile', profile),
  };
}

/** Calls the control plane of a sandbox, and reads what it responds. */
function callerOf(base: string, controlKey: string | undefined) {
  return async <Result>(result: z.ZodMiniType<Result>, method: string, path: string, body?: unknown) => {
    const headers = {
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(controlKey === undefined ? {} : { Authorization: `Bearer ${controlKey}` }),
    };
    const response = await send(`${base}${CONTROL_PREFIX}${path}`, { method, headers }, body).catch(
      (error: unknown) => {
        const { code, message } = errorSchema.parse(error);
        throw new SandboxError({ code: 'no_sandbox', url: base, reason: code ?? message }, 503);
      },
    );
    const failure = failureSchema.safeParse(response.body).data;
    if (failure !== undefined)
      throw new SandboxError({ code: 'refused', reason: failure.message }, response.status);
    const read = result.safeParse(response.body);
    if (read.success) return read.data;
    throw new SandboxError({ code: 'other_server', url: base }, response.status);
  };
}

/** Sends a request over `node:http`: `fetch` hangs under the fake timers of a test runner. */
function send(
  url: string,
  options: RequestOptions,
  body: unknown,
): Promise<{ status: number; body: unknown }> {
  const { request } = url.startsWith('https:') ? https : http;
  return new Promise((resolve, reject) => {
    // A connection of its own: none is lost while a test pauses.
    const sent = request(url, { ...options, agent: false }, (response) => {
      const { statusCode: status = 0 } = response;
      text(response).then((received) => resolve({ status, body: jsonOrNot(received) }), reject);
    });
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

function jsonOrNot(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

const errorSchema = z.object({ code: z.optional(z.string()), message: z.string() });
const failureSchema = z.object({ success: z.literal(false), message: z.string() });
const doneSchema = z.record(z.string(), z.unknown());

function listOf<Item>(item: z.ZodMiniType<Item>) {
  return z.object({ items: z.array(item) });
}
