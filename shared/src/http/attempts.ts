import type { AudienceError } from '../errors.js';
import { callError } from '../failures.js';
import type { CallCode } from '../messages/calls.js';
import type { Problem } from '../messages/problems.js';
import type { Redactor } from '../redact.js';
import { onAbort, sleepUntil, type Abortable } from './abort.js';
import { callData } from './call-data.js';
import type { OnAttempt } from './call.js';
import type { PreparedCall } from './prepared-call.js';
import type { Pace } from './pace.js';
import {
  isAccepted,
  isRefused,
  isTooLong,
  isUnclear,
  next,
  spentMsOf,
  type Attempt,
  type CallRules,
  type EarlierAttempt,
} from './retry.js';
import { retryAfterOf } from './retry-after.js';
import type { Runtime } from './runtime.js';
import {
  lostRequest,
  TransportFailure,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from './transport.js';

/** What all calls of a client share. */
export interface AttemptContext {
  readonly baseUrl: string;
  readonly transport: Transport;
  readonly runtime: Runtime;
  readonly pace: Pace;
  /** Ends all waits; nothing begins after it. */
  readonly stopped: Abortable;
  readonly redact: Redactor;
  readonly onAttempt?: OnAttempt | undefined;
}

/** How a call failed. */
interface Failure {
  readonly code: CallCode;
  /** The attempt that it failed with; none where it was ended in a wait. */
  readonly last?: Pick<Attempt, 'end' | 'retryAfterMs'>;
  /** How the body of the response differs from the API. */
  readonly issue?: Problem | undefined;
}

/** The attempts of one call: each waits for its turn, and `next` says what follows it. */
export class Attempts {
  /** How many requests were sent, and the time spent waiting between them. */
  readonly progress = { attempts: 0, totalRetryDelayMs: 0 };
  readonly #earlier: EarlierAttempt[] = [];
  /** Time limit of the last attempt. */
  #timeoutMs = 0;

  constructor(
    private readonly context: AttemptContext,
    private readonly call: PreparedCall,
    readonly rules: CallRules,
    private readonly request: Omit<TransportRequest, 'timeoutMs'>,
  ) {}

  /** Tries until the call is known to have succeeded. @throws AudienceError where it has not. */
  async run(): Promise<TransportResponse> {
    const { pace, runtime } = this.context;
    for (;;) {
      await this.#waitForTurn();
      const begunAt = runtime.now();
      const last = await this.#attempt(begunAt);
      const isRefusing = this.#tellPace(last, begunAt);
      pace.release();
      const then = next({ ...this.rules, earlier: this.#earlier, last, random: runtime.random() });
      if (then.is === 'sent') return then.response;
      if (then.is === 'failed') throw this.error({ code: then.code, last });
      if (isRefusing) throw this.error({ code: 'tooManyRequests', last });
      await this.#wait(then.waitMs, last);
    }
  }

  /** The error in which the call ends. */
  error({ code, last, issue }: Failure): AudienceError {
    const { redact, baseUrl } = this.context;
    const { key } = this.rules;
    const { end, retryAfterMs } = last ?? {};
    const [response, failure] = end instanceof TransportFailure ? [undefined, end] : [end, undefined];
    // A response that says that its own request failed is certain of that, but not of the earlier ones.
    const isCertain = end === undefined || code === 'notSuccessful';
    const known = {
      ...this.progress,
      baseUrl,
      retryAfterMs,
      issue,
      unclear: isUnclear(this.rules, isCertain ? this.#earlier : [...this.#earlier, { end }]),
      idempotencyKey: key?.value,
      networkCode: failure?.networkCode,
      timeLimitMs: this.#timeoutMs,
    };
    const data = callData(redact, this.call, known, response);
    const isOfContact = code === 'notFound' && this.call.endpoint.params !== undefined;
    if (code !== 'aborted') return callError(isOfContact ? 'contactNotFound' : code, data);
    const { signal } = this.request;
    return callError(signal?.aborted === true ? 'aborted' : 'stopped', data, { cause: signal?.reason });
  }

  async #waitForTurn(): Promise<void> {
    const { pace } = this.context;
    const { signal } = this.request;
    if (!(await pace.turn(signal))) throw this.error({ code: 'aborted' });
    this.progress.attempts += 1;
  }

  async #attempt(begunAt: number): Promise<Attempt> {
    const { transport, runtime } = this.context;
    const { timeoutMs, deadlineMs } = this.rules.limits;
    const leftMs = deadlineMs - spentMsOf(this.#earlier, this.rules.limits);
    this.#timeoutMs = Math.min(timeoutMs, leftMs);
    const end = await send(transport, { ...this.request, timeoutMs: this.#timeoutMs });
    const now = runtime.now();
    this.#tellHook(end, now - begunAt);
    const retryAfterMs = end instanceof TransportFailure ? undefined : retryAfterOf(end, now);
    return { end, tookMs: now - begunAt, retryAfterMs };
  }

  /** Tells the pace how the service took the request. @returns whether it refuses all calls. */
  #tellPace(attempt: Attempt, begunAt: number): boolean {
    const { pace } = this.context;
    if (isAccepted(attempt)) pace.accepted();
    if (!isRefused(attempt)) return false;
    const isAlone = isTooLong(attempt, this.rules.limits);
    return pace.refused({ begunAt, namedMs: attempt.retryAfterMs ?? 0, isAlone });
  }

  /** Calls the hook. One that fails must not make an email that was sent look as if it was not. */
  #tellHook(end: Attempt['end'], milliseconds: number): void {
    const { onAttempt } = this.context;
    if (onAttempt === undefined) return;
    const { method } = this.request;
    const { path } = this.call;
    const status = end instanceof TransportFailure ? undefined : end.status;
    const info = { method, path, attempt: this.progress.attempts, status, milliseconds };
    // It may throw, or reject.
    new Promise((resolve) => resolve(onAttempt(info))).catch(() => undefined);
  }

  /** Waits before the next attempt. */
  async #wait(waitMs: number, last: Attempt): Promise<void> {
    const { runtime, stopped } = this.context;
    this.#earlier.push({ ...last, waitMs });
    await sleepUntil(runtime, waitMs, [this.request.signal, stopped]);
    this.progress.totalRetryDelayMs += waitMs;
  }
}

/** Sends a request once. An abort ends it at once, even where a host's transport ignores the signal. */
async function send(transport: Transport, request: TransportRequest): Promise<Attempt['end']> {
  const { signal } = request;
  let stopListening: () => void = () => undefined;
  try {
    const sent = transport(request);
    if (signal === undefined) return await sent;
    const aborted = new Promise<never>((_, reject) => {
      stopListening = onAbort(signal, () => reject(new TransportFailure('aborted')));
    });
    return await Promise.race([sent, aborted]);
  } catch (error) {
    return lostRequest(error);
  } finally {
    stopListening();
  }
}
