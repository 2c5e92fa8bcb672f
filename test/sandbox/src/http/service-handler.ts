import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { NO_EFFECTS, withEffects } from '../account/effects.js';
import { describeFault } from '../faults/fault.js';
import type { Fault } from '../faults/fault.js';
import type { Sandbox } from '../sandbox.js';
import type { Operation, RawRequest } from '../service/operation.js';
import { operations } from '../service/operations.js';
import { SandboxError } from '../sandbox-error.js';
import { bodyText, ClientGone, parseJson, readBody } from './body.js';
import { sandboxErrorOf, sendJson, sendText, statusText } from './reply.js';
import { Router } from './router.js';
import { GARBAGE, ServiceCall } from './service-call.js';
import type { Outcome } from './service-call.js';
import { refusalResponse, retryAfterHeader, successResponse } from './service-response.js';
import type { Target } from './target.js';

/** How many calls the log holds; the oldest go first. */
const REQUEST_LOG_LIMIT = 10_000;

/**
 * Handles the calls of the service. Checks come in this order: size of the body, API key, route, rate limit, faults,
 * shape of the request, idempotency key, then what the account knows: properties and groups, designs and contacts.
 */
export class ServiceHandler {
  readonly #router = new Router<Operation>(Object.values(operations));
  readonly #busyKeys = new Set<string>();

  constructor(private readonly sandbox: Sandbox) {}

  async handle(request: IncomingMessage, response: ServerResponse, target: Target): Promise<void> {
    const { account } = this.sandbox;
    const call = new ServiceCall(request, account);
    let outcome: Outcome;
    try {
      outcome = await this.#carryOut(call, request, response, target);
    } catch (error) {
      if (error instanceof ClientGone) return;
      outcome = this.#refused(call, error);
    }
    const id = call.resets === account.resets ? this.#log(call, outcome) : undefined;
    try {
      await account.journal.written();
    } catch (error) {
      outcome = this.#unwritten(call, outcome, error);
    }
    if (!call.responded) send(response, outcome, this.sandbox.profile.requestId === 'given' ? id : undefined);
  }

  async #carryOut(
    call: ServiceCall,
    request: IncomingMessage,
    response: ServerResponse,
    target: Target,
  ): Promise<Outcome> {
    call.body = await readBody(request);
    authenticate(request, this.sandbox.apiKey);
    const { endpoint, params } = this.#router.route(request.method ?? 'GET', target.path);
    call.operation = endpoint;
    this.#limitRate();
    const fault = this.sandbox.faults.hit(endpoint.operationId);
    call.fault = fault === undefined ? null : describeFault(fault);
    const read = (): RawRequest => ({
      params,
      query: target.query,
      body: endpoint.hasBody
        ? call.readJson(parseJson(bodyText(call.body), request.headers['content-type']))
        : undefined,
      idempotencyKey: call.idempotencyKey ?? undefined,
      baseUrl: `http://${request.headers.host ?? 'localhost'}${this.sandbox.prefix}`,
    });
    if (fault === undefined) return this.#apply(call, endpoint, read);
    const wait = () => this.#wait(fault, call, response);
    return this.#applyWith(call, endpoint, read, fault, wait);
  }

  /** A fault loses the call before it is applied, or its response after: whatever that is. */
  async #applyWith(
    call: ServiceCall,
    endpoint: Operation,
    read: () => RawRequest,
    fault: Fault,
    wait: () => Promise<void>,
  ): Promise<Outcome> {
    if (fault.when === 'before' && fault.effect !== 'none') {
      const release = this.#hold(endpoint, read);
      try {
        await wait();
      } finally {
        release();
      }
      return this.#effectOf(fault);
    }
    let outcome: Outcome;
    try {
      outcome = await this.#apply(call, endpoint, read, wait);
    } catch (error) {
      if (!(error instanceof SandboxError)) throw error;
      outcome = this.#refused(call, error);
    }
    // A gateway passes on what it has in time.
    const isPassedOn = fault.effect === 'none' || (fault.afterMs !== null && !call.responded);
    return isPassedOn ? outcome : this.#effectOf(fault);
  }

  /** Holds the idempotency key of a call that is lost, if it has one that is free. */
  #hold(endpoint: Operation, read: () => RawRequest): () => void {
    try {
      const prepared = endpoint.prepare(this.sandbox, this.#busyKeys, read());
      return () => {
        if ('release' in prepared) prepared.release();
      };
    } catch (error) {
      // The response is lost, so it need not say what is wrong.
      if (error instanceof SandboxError) return () => undefined;
      throw error;
    }
  }

  async #apply(
    call: ServiceCall,
    endpoint: Operation,
    read: () => RawRequest,
    wait?: () => Promise<void>,
  ): Promise<Outcome> {
    const { account, profile } = this.sandbox;
    const prepared = endpoint.prepare(this.sandbox, this.#busyKeys, read());
    const respond = (body: unknown, headers?: Record<string, string>): Outcome => ({
      kind: 'response',
      ...successResponse(profile, endpoint.operationId, body, headers),
    });
    if ('replayed' in prepared) {
      await wait?.();
      call.replayed = true;
      return respond(prepared.replayed, { 'Idempotent-Replayed': 'true' });
    }
    try {
      await wait?.();
      if (call.resets !== account.resets) {
        throw new SandboxError(
          'The sandbox was reset while this call was under way; nothing of it was kept.',
          410,
        );
      }
      call.byAccount = true;
      if (endpoint.method === 'GET') call.rerun = () => respond(prepared.run());
      const run = () => prepared.run();
      const { result, effects } =
        endpoint.method === 'GET' ? { result: run(), effects: NO_EFFECTS } : withEffects(account, run);
      const outcome = respond(result);
      call.applied = true;
      call.effects = effects;
      return outcome;
    } finally {
      prepared.release();
    }
  }

  #limitRate(): void {
    const { rateLimiter, profile } = this.sandbox;
    const seconds = rateLimiter.use();
    if (seconds === undefined) return;
    throw new SandboxError(
      `More than ${String(rateLimiter.limit?.requestsPerSecond)} requests per second; go on after ${seconds} s.`,
      429,
      retryAfterHeader(profile, seconds),
    );
  }

  /** Waits as long as a fault says; a gateway that gives up early responds meanwhile. */
  async #wait(fault: Fault, call: ServiceCall, response: ServerResponse): Promise<void> {
    if (fault.afterMs !== null) {
      await this.#sleep(fault.afterMs);
      send(response, this.#effectOf(fault), undefined);
      call.responded = true;
    }
    await this.#sleep(fault.latencyMs - (fault.afterMs ?? 0));
  }

  async #sleep(milliseconds: number): Promise<void> {
    if (milliseconds === 0) return;
    try {
      await sleep(milliseconds, undefined, { signal: this.sandbox.closing });
    } catch {
      throw new ClientGone();
    }
  }

  #log(call: ServiceCall, outcome: Outcome): string {
    const { requests } = this.sandbox.account;
    const entry = call.finish(outcome);
    requests.put(entry);
    requests.trim(REQUEST_LOG_LIMIT);
    return entry.id;
  }

  #refused(call: ServiceCall, error: unknown): Outcome {
    return {
      kind: 'response',
      ...refusalResponse(this.sandbox.profile, call.operation, sandboxErrorOf(error), call.byAccount),
    };
  }

  /**
   * The response when the data file could not be written. A call that changes something is refused; one that reads
   * may have seen changes that were undone, and reads once more.
   */
  #unwritten(call: ServiceCall, outcome: Outcome, error: unknown): Outcome {
    call.byAccount = false;
    if (outcome.kind !== 'response') return outcome;
    if (call.rerun === undefined) return call.applied || call.replayed ? this.#refused(call, error) : outcome;
    try {
      return call.rerun();
    } catch (error) {
      return this.#refused(call, error);
    }
  }

  #effectOf(fault: Fault): Outcome {
    if (fault.effect !== 'status' || fault.status === null) {
      return { kind: fault.effect === 'garbage' || fault.effect === 'hang' ? fault.effect : 'cut' };
    }
    const error = new SandboxError(
      `A fault was set in the sandbox: ${statusText(fault.status)}.`,
      fault.status,
      fault.retryAfter === null ? {} : { 'Retry-After': fault.retryAfter },
    );
    return { kind: 'response', ...refusalResponse(this.sandbox.profile, undefined, error, false) };
  }
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

function unauthorized(message: string): SandboxError {
  return new SandboxError(message, 401, { 'WWW-Authenticate': 'Bearer realm="audience"' });
}

function send(response: ServerResponse, outcome: Outcome, requestId: string | undefined): void {
  const headers = requestId === undefined ? {} : { 'X-Request-Id': requestId };
  switch (outcome.kind) {
    case 'response': {
      const { status, body } = outcome;
      const all = { ...headers, ...outcome.headers };
      if (body === undefined) sendText(response, status, '', undefined, all);
      else if (typeof body === 'string') sendText(response, status, body, 'text/plain; charset=utf-8', all);
      else sendJson(response, status, body, all);
      return;
    }
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
