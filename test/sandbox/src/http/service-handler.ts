import type { IncomingMessage, ServerResponse } from 'node:http';
import { withEffects } from '../account/effects.js';
import { describeFault, effectOf, type Fault, type Switch } from '../faults/fault.js';
import type { Sandbox } from '../sandbox.js';
import type { Operation, PreparedCall, RawRequest } from '../service/operation.js';
import { operations } from '../service/operations.js';
import type { Problem } from '../messages.js';
import { realTime } from '../real-time.js';
import { identifiersIn } from '../account/records.js';
import { SandboxError } from '../sandbox-error.js';
import { bodyText, ClientGone, parseJson, readBody } from './body.js';
import { failureBody, sandboxErrorOf, sendJson, sendText, statusText } from './reply.js';
import { Router } from './router.js';
import { ServiceCall, type Outcome } from './service-call.js';
import { retryAfterHeader, successResponse } from './service-response.js';
import type { Target } from './target.js';

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
      outcome = refused(error);
    }
    const id = call.resets === account.resets ? this.#log(call, outcome) : undefined;
    try {
      await account.journal.written();
    } catch (error) {
      outcome = this.#unwritten(call, outcome, error);
    }
    if (!call.responded) send(response, outcome, id);
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
    const fault = this.sandbox.faults.hit(endpoint.operationId, () => identifiersOf(params, call.body));
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
    call.fault = describeFault(fault);
    const effect = effectOf(fault);
    if (effect === undefined) return this.#apply(call, endpoint, read, fault.delayMs);
    const outcome = typeof effect === 'object' ? responseOf(effect) : { kind: effect };
    const { when = 'before', delayMs } = fault;
    if (when === 'before') return this.#lose(endpoint, read, outcome, delayMs);
    if (when === 'during') {
      send(response, outcome, undefined);
      call.responded = true;
    }
    try {
      await this.#apply(call, endpoint, read, delayMs);
    } catch (error) {
      // Its response is lost, and so is that of a refusal.
      if (!(error instanceof SandboxError)) throw error;
    }
    return outcome;
  }

  /** Loses a call before it is applied. Until then its idempotency key, if it has a free one, is in use. */
  async #lose(endpoint: Operation, read: () => RawRequest, outcome: Outcome, delayMs = 0): Promise<Outcome> {
    const prepared = this.#preparedOrNot(endpoint, read);
    try {
      await this.#sleep(delayMs);
      if (outcome.kind === 'response') prepared?.fail(outcome);
      return outcome;
    } finally {
      prepared?.release();
    }
  }

  #preparedOrNot(endpoint: Operation, read: () => RawRequest): PreparedCall | undefined {
    try {
      const prepared = endpoint.prepare(this.sandbox, this.#busyKeys, read());
      return 'release' in prepared ? prepared : undefined;
    } catch (error) {
      if (error instanceof SandboxError) return undefined;
      throw error;
    }
  }

  async #apply(
    call: ServiceCall,
    endpoint: Operation,
    read: () => RawRequest,
    delayMs = 0,
  ): Promise<Outcome> {
    const { account, profile } = this.sandbox;
    const prepared = endpoint.prepare(this.sandbox, this.#busyKeys, read());
    const respond = (body: unknown): Outcome => ({ kind: 'response', ...successResponse(profile, body) });
    if (!('release' in prepared)) {
      await this.#sleep(delayMs);
      call.replayed = true;
      const { failure, response } = prepared;
      if (failure === undefined) return respond(response);
      const { status, headers, body } = failure;
      return { kind: 'response', status, headers, body };
    }
    try {
      await this.#sleep(delayMs);
      if (call.resets !== account.resets) {
        throw new SandboxError({ code: 'was_reset' }, 410);
      }
      if (endpoint.method === 'GET') call.rerun = () => respond(prepared.run());
      const { result, effects } = withEffects(account, () => prepared.run());
      const outcome = respond(result);
      call.applied = true;
      call.effects = effects;
      return outcome;
    } catch (error) {
      // A call that the account forbids may use up its key.
      if (!(error instanceof SandboxError) || call.resets !== account.resets) throw error;
      const outcome = refused(error);
      prepared.fail(outcome);
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
      { code: 'rate_limited', limit: String(rateLimiter.limit?.requestsPerSecond), seconds },
      429,
      retryAfterHeader(profile, seconds),
    );
  }

  #sleep(milliseconds: number): Promise<void> {
    if (milliseconds === 0) return Promise.resolve();
    const { closing } = this.sandbox;
    return new Promise((resolve, reject) => {
      const end = () => {
        realTime.clearTimeout(timer);
        closing.removeEventListener('abort', end);
        if (closing.aborted) reject(new ClientGone());
        else resolve();
      };
      const timer = realTime.setTimeout(end, milliseconds);
      closing.addEventListener('abort', end);
    });
  }

  #log(call: ServiceCall, outcome: Outcome): string {
    return this.sandbox.account.requests.put(call.finish(outcome)).id;
  }

  /**
   * The response when the data file could not be written. A call that changes something is refused; one that reads
   * may have seen changes that were undone, and reads again.
   */
  #unwritten(call: ServiceCall, outcome: Outcome, error: unknown): Outcome {
    if (outcome.kind !== 'response') return outcome;
    if (call.rerun === undefined) return call.applied || call.replayed ? refused(error) : outcome;
    try {
      return call.rerun();
    } catch (error) {
      return refused(error);
    }
  }
}

/** The response that a fault sets. */
function responseOf({ status, headers: set = {}, body }: NonNullable<Fault['respond']>): Outcome {
  // In small letters a header replaces the one that a response has anyway.
  const headers = Object.fromEntries(
    Object.entries(set).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
  if (body !== undefined || status < 400) return { kind: 'response', status, headers, body };
  return refused(new SandboxError({ code: 'fault_set', status: statusText(status) }, status, headers));
}

function refused(error: unknown): Outcome & { kind: 'response' } {
  const { status, message, headers } = sandboxErrorOf(error);
  return { kind: 'response', status, headers, body: failureBody(message) };
}

/** The addresses and userIds that a call names. */
function identifiersOf({ identifier }: Readonly<Record<string, string>>, body: Buffer): readonly string[] {
  return [...(identifier === undefined ? [] : [identifier]), ...identifiersIn(jsonOrNot(body))];
}

function jsonOrNot(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

function authenticate(request: IncomingMessage, apiKey: string): void {
  const header = request.headers.authorization;
  if (header === undefined) {
    throw unauthorized({ code: 'no_authorization' });
  }
  const key = /^Bearer (.+)$/i.exec(header)?.[1];
  if (key === undefined) throw unauthorized({ code: 'authorization_not_bearer' });
  if (key.trim() !== apiKey) throw unauthorized({ code: 'wrong_api_key' });
}

function unauthorized(problem: Problem): SandboxError {
  return new SandboxError(problem, 401, { 'WWW-Authenticate': 'Bearer realm="audience"' });
}

/** What a fault does to the connection. */
const BREAKS: Readonly<Record<Switch, (response: ServerResponse) => unknown>> = {
  cut: ({ socket }) => socket?.destroy(),
  hang: () => undefined,
};

function send(response: ServerResponse, outcome: Outcome, requestId: string | undefined): void {
  if (outcome.kind !== 'response') {
    BREAKS[outcome.kind](response);
    return;
  }
  const { status, body } = outcome;
  const headers = { ...(requestId !== undefined && { 'X-Request-Id': requestId }), ...outcome.headers };
  if (body === undefined) sendText(response, status, '', undefined, headers);
  else if (typeof body === 'string') sendText(response, status, body, 'text/plain; charset=utf-8', headers);
  else sendJson(response, status, body, headers);
}
