import { AbortedError, type AudienceError } from '../errors.js';
import type { CallData } from '../messages/calls.js';
import { onAbort, sleepUntil, type Abortable } from './abort.js';
import {
  callData,
  callError,
  errorForFailure,
  errorForStatus,
  outOfTime,
  type Redactor,
} from './call-errors.js';
import type { CallLimits, OnAttempt } from './call.js';
import type { PreparedCall } from './call-options.js';
import {
  isTransient,
  mayHaveArrived,
  outcomeOf,
  retryDelay,
  shouldRetry,
  type Attempt,
  type IdempotencyKey,
  type Outcome,
} from './outcome.js';
import type { Pace } from './pace.js';
import { retryAfterOf } from './retry-after.js';
import type { Runtime } from './runtime.js';
import {
  failureOf,
  TransportFailure,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from './transport.js';

/** For so long a 409 is retried while an earlier attempt may be at work, in milliseconds. */
const CONFLICTS_MS = 30_000;

/** Longest wait that a response can ask for, in milliseconds; of a longer one the call fails. */
const LONGEST_WAIT_MS = 60_000;

/** A wait after a 429 counts for at most this share of the deadline: others are waited for, not the service. */
const SHARE_OF_DEADLINE = 0.1;

/** What all calls of a client share. */
export interface AttemptContext {
  readonly baseUrl: string;
  readonly transport: Transport;
  readonly runtime: Runtime;
  readonly pace: Pace;
  /** Ends all waits, for good. */
  readonly stopped: Abortable;
  readonly redact: Redactor;
  readonly usedKeyStatus?: number | undefined;
  readonly onAttempt?: OnAttempt | undefined;
}

interface AttemptSettings {
  readonly call: PreparedCall;
  readonly request: Omit<TransportRequest, 'timeoutMs'>;
  readonly limits: Required<CallLimits>;
  readonly key: IdempotencyKey | undefined;
}

/** The attempts of one call: each waits for its turn, and what came of it decides over the next. */
export class Attempts {
  /** How many requests were sent, and the time spent waiting between them. */
  readonly progress = { attempts: 0, totalRetryDelayMs: 0 };
  readonly #tried: Attempt[] = [];
  /** Time left for attempts and waits between them; waiting for a turn does not count. */
  #leftMs: number;
  /** Time limit of the last attempt. */
  #timeoutMs = 0;
  #retries = 0;
  #refusedForRate = 0;
  /** Whether the service refuses all calls. */
  #isRefused = false;
  /** How long 409 responses have been waited out, in milliseconds. */
  #conflictMs = 0;

  constructor(
    private readonly context: AttemptContext,
    private readonly settings: AttemptSettings,
  ) {
    this.#leftMs = settings.limits.deadlineMs;
  }

  /** Tries until the call is known to have succeeded. @throws AudienceError where it has not. */
  async run(): Promise<TransportResponse> {
    for (;;) {
      await this.#waitForTurn();
      const tried = await this.#attempt();
      if (tried.response !== undefined && this.#outcome === 'sent') return tried.response;
      await this.#wait(this.#delayAfter(tried));
    }
  }

  /** What an error of this call knows. */
  data(response?: TransportResponse, unclear = this.#outcome === 'unclear'): CallData {
    const { call, key } = this.settings;
    const { redact, baseUrl, runtime } = this.context;
    const retryAfterMs = response && retryAfterOf(response, runtime.now());
    const known = { ...this.progress, baseUrl, unclear, idempotencyKey: key?.value, retryAfterMs };
    return callData(redact, call, known, response);
  }

  /** The same, where a 2xx response says `success: false`, or its body cannot be used. */
  dataOfBody(response: TransportResponse, isRejection: boolean): CallData {
    const { call, key } = this.settings;
    const mayBeSent = !isRejection || key?.earlierRequest === true || this.#tried.some(mayHaveArrived);
    return this.data(response, call.endpoint.method !== 'GET' && mayBeSent);
  }

  /** Whether the call succeeded, as far as the attempts show. */
  get #outcome(): Outcome {
    const { call, key } = this.settings;
    const isRead = call.endpoint.method === 'GET';
    return outcomeOf(this.#tried, isRead, key, this.context.usedKeyStatus);
  }

  async #waitForTurn(): Promise<void> {
    const { pace, stopped } = this.context;
    const { signal } = this.settings.request;
    if (signal?.aborted === true || stopped.aborted) throw this.#aborted();
    if (!pace.tryBegin() && !(await pace.turn(signal))) throw this.#aborted();
    this.progress.attempts += 1;
  }

  async #attempt(): Promise<Attempt> {
    const { transport, runtime, pace } = this.context;
    const { request, limits } = this.settings;
    const begunAt = runtime.now();
    this.#timeoutMs = Math.max(1, Math.min(limits.timeoutMs, this.#leftMs));
    const tried = await attempt(transport, { ...request, timeoutMs: this.#timeoutMs });
    const milliseconds = runtime.now() - begunAt;
    this.#leftMs -= milliseconds;
    this.#tried.push(tried);
    this.#tell(tried, milliseconds);
    if (tried.response !== undefined && !isTransient(tried)) pace.accepted();
    if (tried.response?.status === 429) this.#isRefused = this.#tellRefusal(tried.response, begunAt);
    pace.release();
    return tried;
  }

  /** Tells the pace of a 429. @returns whether the service refuses all calls. */
  #tellRefusal(response: TransportResponse, begunAt: number): boolean {
    const { pace, runtime } = this.context;
    const namedMs = retryAfterOf(response, runtime.now()) ?? 0;
    const isAlone = namedMs > Math.min(LONGEST_WAIT_MS, this.settings.limits.deadlineMs);
    return pace.refused({ begunAt, namedMs, isAlone });
  }

  /** Calls the hook. One that fails must not make an email that was sent look as if it was not. */
  #tell({ response }: Attempt, milliseconds: number): void {
    const { method } = this.settings.request;
    const { attempts } = this.progress;
    const { path } = this.settings.call;
    const { onAttempt } = this.context;
    if (onAttempt === undefined) return;
    const info = { method, path, attempt: attempts, status: response?.status, milliseconds };
    // It may throw, or reject.
    new Promise((resolve) => resolve(onAttempt(info))).catch(() => undefined);
  }

  /** How long to wait before the next attempt, in milliseconds. @throws AudienceError where there is none. */
  #delayAfter(tried: Attempt): number {
    const { call, limits } = this.settings;
    const { response, failure } = tried;
    if (failure?.reason === 'aborted') throw this.#aborted();
    const data = this.data(response);
    const error = response
      ? errorForStatus(response.status, data, call.endpoint)
      : errorForFailure(failure, data, this.#timeoutMs);
    const { retryAfterMs = 0 } = error;
    if (this.#isRefused || limits.maxRetries === 0 || !shouldRetry(call.endpoint, this.#tried)) throw error;
    const failures = this.#countOf(response?.status);
    if (this.#retries > limits.maxRetries || retryAfterMs > LONGEST_WAIT_MS) throw error;
    const delayMs = Math.max(1, retryDelay(failures, this.context.runtime.random(), retryAfterMs));
    const isTooLate = this.#costOf(delayMs, response?.status) >= this.#leftMs;
    if (response?.status === 409) {
      this.#conflictMs += delayMs;
      if (this.#conflictMs > CONFLICTS_MS || isTooLate) throw error;
    }
    if (isTooLate) throw outOfTime(error, data, limits.deadlineMs);
    this.#leftMs -= this.#costOf(delayMs, response?.status);
    return delayMs;
  }

  #costOf(delayMs: number, status: number | undefined): number {
    const { deadlineMs } = this.settings.limits;
    return status === 429 && delayMs <= deadlineMs
      ? Math.min(delayMs, deadlineMs * SHARE_OF_DEADLINE)
      : delayMs;
  }

  /** Counts a failure. Neither a 429 nor a 409 uses up a retry: the service is there. */
  #countOf(status: number | undefined): number {
    if (status === 409) this.#retries = 0;
    if (status === 429 || status === 409) return (this.#refusedForRate += 1);
    return (this.#retries += 1);
  }

  async #wait(delayMs: number): Promise<void> {
    const { runtime, stopped } = this.context;
    await sleepUntil(runtime, delayMs, [this.settings.request.signal, stopped]);
    this.progress.totalRetryDelayMs += delayMs;
  }

  /** The error for a call that the caller's signal ended, or `stop()`. */
  #aborted(): AudienceError {
    const { signal } = this.settings.request;
    const code = signal?.aborted === true ? 'aborted' : 'stopped';
    return callError(AbortedError, code, this.data(), { cause: signal?.reason });
  }
}

/** Sends a request once. An abort ends it at once, even where a host's transport ignores the signal. */
async function attempt(transport: Transport, request: TransportRequest): Promise<Attempt> {
  const { signal } = request;
  let stopListening: () => void = () => undefined;
  try {
    const sent = transport(request);
    if (signal === undefined) return { response: await sent };
    const aborted = new Promise<never>((_, reject) => {
      stopListening = onAbort(signal, () => reject(new TransportFailure('aborted')));
    });
    return { response: await Promise.race([sent, aborted]) };
  } catch (error) {
    return { failure: failureOf(error) };
  } finally {
    stopListening();
  }
}
