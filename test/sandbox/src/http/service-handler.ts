import type { IncomingMessage, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Account } from '../account/account.js';
import type { RequestLogEntry } from '../account/records.js';
import { describeFault } from '../faults/fault.js';
import type { Fault } from '../faults/fault.js';
import type { Faults } from '../faults/faults.js';
import type { RateLimiter } from '../faults/rate-limiter.js';
import type { Profile } from '../profile.js';
import type { Operation, RawRequest } from '../service/operation.js';
import { operations } from '../service/operations.js';
import { Problem } from '../service/problem.js';
import { bodyText, ClientGone, parseJson, readBody } from './body.js';
import { failureBody, problemOf, sendJson, sendText, statusText } from './reply.js';
import { Router } from './router.js';
import type { Target } from './target.js';

/** How many calls the log holds; the oldest go first. */
export const REQUEST_LOG_LIMIT = 10_000;

/** What the handler needs of the sandbox. */
export interface ServiceContext {
  readonly account: Account;
  readonly apiKey: string;
  readonly faults: Faults;
  readonly rateLimiter: RateLimiter;
  /** As it is now: it can change between two calls. */
  readonly profile: Profile;
  /** Aborted when the sandbox closes; ends every wait. */
  readonly closing: AbortSignal;
}

type Outcome =
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly body: unknown;
      readonly headers: Record<string, string>;
    }
  | { readonly kind: 'garbage' | 'cut' | 'hang' };

/**
 * Answers the calls of the service. Checks come in this order: API key, route, rate limit, faults, shape of the
 * request, idempotency key, then what the account knows: properties and groups, designs and contacts.
 */
export class ServiceHandler {
  readonly #router = new Router<Operation>(Object.values(operations));
  readonly #busyKeys = new Set<string>();

  constructor(private readonly context: ServiceContext) {}

  async handle(request: IncomingMessage, response: ServerResponse, target: Target): Promise<void> {
    const call = new Call(request, this.context.account);
    let outcome: Outcome;
    try {
      outcome = await this.#carryOut(call, request, target);
    } catch (error) {
      if (error instanceof ClientGone) return;
      const problem = problemOf(error);
      outcome = {
        kind: 'response',
        status: problem.status,
        body: failureBody(problem.message),
        headers: { ...problem.headers },
      };
    }
    const entry = call.finish(outcome);
    this.context.account.requests.put(entry);
    this.context.account.requests.trim(REQUEST_LOG_LIMIT);
    await this.context.account.journal.written();
    send(response, outcome, entry.id);
  }

  async #carryOut(call: Call, request: IncomingMessage, target: Target): Promise<Outcome> {
    const body = await readBody(request);
    call.body = body;
    authenticate(request, this.context.apiKey);
    const { endpoint, params } = this.#router.route(request.method ?? 'GET', target.path);
    call.route = endpoint.operationId;
    this.context.rateLimiter.take();
    const fault = this.context.faults.take(endpoint.operationId);
    call.fault = fault === undefined ? null : describeFault(fault);
    if (fault?.when === 'before' && fault.effect !== 'none') {
      await this.#delay(fault);
      return effectOf(fault);
    }
    const outcome = await this.#apply(call, endpoint, fault, {
      params,
      query: target.query,
      body: endpoint.takesBody
        ? call.readJson(parseJson(bodyText(body), request.headers['content-type']))
        : undefined,
      idempotencyKey: call.idempotencyKey ?? undefined,
      baseUrl: `http://${request.headers.host ?? 'localhost'}`,
    });
    return fault === undefined || fault.effect === 'none' ? outcome : effectOf(fault);
  }

  async #apply(
    call: Call,
    endpoint: Operation,
    fault: Fault | undefined,
    request: RawRequest,
  ): Promise<Outcome> {
    const prepared = endpoint.prepare(this.context, this.#busyKeys, request);
    if ('replayed' in prepared) {
      if (fault !== undefined) await this.#delay(fault);
      call.replayed = true;
      return ok(prepared.replayed, { 'Idempotent-Replayed': 'true' });
    }
    try {
      if (fault !== undefined) await this.#delay(fault);
      const body = prepared.run();
      call.applied = true;
      return ok(body);
    } finally {
      prepared.release();
    }
  }

  async #delay(fault: Fault): Promise<void> {
    if (fault.latencyMs === 0) return;
    try {
      await sleep(fault.latencyMs, undefined, { signal: this.context.closing });
    } catch {
      throw new ClientGone();
    }
  }
}

/** One call on its way through, and what the log will say of it. */
class Call {
  readonly idempotencyKey: string | null;
  body: Buffer = Buffer.alloc(0);
  route: string | null = null;
  fault: string | null = null;
  applied = false;
  replayed = false;
  #json: { readonly value: unknown } | undefined;
  readonly #id: string;
  readonly #time: string;
  readonly #started = performance.now();

  constructor(
    private readonly request: IncomingMessage,
    account: Account,
  ) {
    this.#id = account.nextId('request');
    this.#time = account.clock.timestamp();
    const key = request.headers['idempotency-key'];
    this.idempotencyKey = typeof key === 'string' ? key : null;
  }

  readJson(value: unknown): unknown {
    this.#json = { value };
    return value;
  }

  finish(outcome: Outcome): RequestLogEntry {
    return {
      id: this.#id,
      time: this.#time,
      durationMs: Math.round((performance.now() - this.#started) * 100) / 100,
      method: this.request.method ?? '',
      path: this.request.url ?? '',
      route: this.route,
      status: outcome.kind === 'response' ? outcome.status : outcome.kind === 'garbage' ? 200 : null,
      idempotencyKey: this.idempotencyKey,
      requestBody: this.#json === undefined ? this.#text() : this.#json.value,
      responseBody: outcome.kind === 'response' ? outcome.body : outcome.kind === 'garbage' ? GARBAGE : null,
      fault: this.fault,
      applied: this.applied,
      replayed: this.replayed,
    };
  }

  #text(): string | null {
    return this.body.length === 0 ? null : this.body.subarray(0, 2000).toString('utf8');
  }
}

const GARBAGE = '<html><body><h1>It works!</h1>';

function ok(body: unknown, headers: Record<string, string> = {}): Outcome {
  return { kind: 'response', status: 200, body, headers };
}

function authenticate(request: IncomingMessage, apiKey: string): void {
  const header = request.headers.authorization;
  if (header === undefined) {
    throw unauthorized("The header 'Authorization' is missing; send 'Authorization: Bearer <API key>'.");
  }
  const key = /^Bearer (.+)$/i.exec(header)?.[1];
  if (key === undefined) throw unauthorized("The header 'Authorization' must read 'Bearer <API key>'.");
  if (key.trim() !== apiKey)
    throw unauthorized('The API key is wrong; use the one that the sandbox printed at its start.');
}

function unauthorized(message: string): Problem {
  return new Problem(401, message, { 'WWW-Authenticate': 'Bearer realm="audience"' });
}

function effectOf(fault: Fault): Outcome {
  if (fault.effect === 'status' && fault.status !== null) {
    return {
      kind: 'response',
      status: fault.status,
      body: failureBody(`A fault was set in the sandbox: ${statusText(fault.status)}.`),
      headers: fault.retryAfter === null ? {} : { 'Retry-After': fault.retryAfter },
    };
  }
  return { kind: fault.effect === 'garbage' || fault.effect === 'hang' ? fault.effect : 'cut' };
}

function send(response: ServerResponse, outcome: Outcome, requestId: string): void {
  const headers = { 'X-Request-Id': requestId };
  switch (outcome.kind) {
    case 'response':
      sendJson(response, outcome.status, outcome.body, { ...headers, ...outcome.headers });
      return;
    case 'garbage':
      sendText(response, 200, GARBAGE, 'application/json; charset=utf-8', headers);
      return;
    case 'cut':
      response.socket?.destroy();
      return;
    case 'hang':
      return;
  }
}
