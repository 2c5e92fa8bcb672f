import type { AudienceError, CallData } from '../errors.js';
import { attempt, type Attempt } from './attempt.js';
import type { PreparedCall } from './prepared-call.js';
import type { CallLimits } from './call.js';
import { tell, type OnAttempt } from './on-attempt.js';
import { errorForAbort, errorForFailure, errorForStatus, outOfTime } from './call-errors.js';
import type { IdempotencyKey } from './idempotency.js';
import type { Limiter } from './limiter.js';
import { mayHaveArrived, outcomeOf, type Outcome } from './outcome.js';
import type { Progress, ResponseFacts } from './response-facts.js';
import { retryAfterOf } from './retry-after.js';
import { isTransient, retryDelay, shouldRetry } from './retry.js';
import type { Runtime } from './runtime.js';
import type { Transport, TransportRequest, TransportResponse } from './transport.js';

/** Longest wait that a `Retry-After` is obeyed for; a longer one ends the call in an error that carries it. */
const LONGEST_RETRY_AFTER_MS = 60_000;

/** For so long a 409 is retried while an earlier attempt may be at work, in milliseconds. */
const CONFLICTS_MS = 30_000;

export interface AttemptContext {
  readonly baseUrl: string;
  readonly transport: Transport;
  readonly runtime: Runtime;
  readonly limiter: Limiter;
  readonly facts: ResponseFacts;
  readonly usedKeyStatus: number | undefined;
  readonly onAttempt: OnAttempt | undefined;
}

interface AttemptSettings {
  readonly call: PreparedCall;
  readonly request: Omit<TransportRequest, 'timeoutMs'>;
  readonly limits: CallLimits;
  readonly key: IdempotencyKey | undefined;
}

interface AttemptsEnd {
  readonly response: TransportResponse;
  /** Whether an earlier request had carried the call out, as the status that the user set says. */
  readonly deduplicated: boolean;
}

/** The attempts of one call: each waits for its turn, and what came of it decides over the next. */
export class Attempts {
  readonly progress: Progress = { attempts: 0, totalRetryDelayMs: 0 };
  readonly #tried: Attempt[] = [];
  /** Time left for attempts and waits between them; waiting for a turn takes none of it. */
  #leftMs: number;
  /** Time limit of the last attempt. */
  #timeoutMs = 0;
  #retries = 0;
  #refusedForRate = 0;
  /** How long 409 responses have been waited out, in milliseconds. */
  #conflictMs = 0;
  #staleSocketReplayed = false;

  constructor(
    private readonly context: AttemptContext,
    readonly settings: AttemptSettings,
  ) {
    this.#leftMs = settings.limits.deadlineMs;
  }

  /** Whether the call was carried out, as far as the attempts tell. */
  get outcome(): Outcome {
    const { call, key } = this.settings;
    return outcomeOf(this.#tried, {
      isRead: call.endpoint.method === 'GET',
      isKeyed: key !== undefined,
      wasUsed: key?.wasUsed === true,
      usedKeyStatus: this.context.usedKeyStatus,
    });
  }

  /** What an error of this call knows. */
  data(response?: TransportResponse, unclear = this.outcome === 'unclear'): CallData {
    const { call, key } = this.settings;
    const { facts, baseUrl, runtime } = this.context;
    const known = {
      ...this.progress,
      baseUrl,
      unclear,
      idempotencyKey: key?.value,
      retryAfterMs: response && retryAfterOf(response, runtime.now()),
    };
    return facts.ofCall(call, known, response);
  }

  /** The same, where a 2xx response says `success: false`, or its body cannot be used. */
  dataOfBody(response: TransportResponse, isRejection: boolean): CallData {
    const { call, key } = this.settings;
    const mayBeSent = !isRejection || key?.wasUsed === true || this.#tried.some(mayHaveArrived);
    return this.data(response, call.endpoint.method !== 'GET' && mayBeSent);
  }

  /** Tries until the call is known to be carried out. */
  async run(): Promise<AttemptsEnd> {
    for (;;) {
      await this.#waitForTurn();
      const tried = await this.#attempt();
      const { response } = tried;
      if (response !== undefined && this.outcome === 'sent')
        return { response, deduplicated: response.status >= 300 };
      const delayMs = this.#afterFailure(tried);
      if (delayMs > 0) await this.#wait(delayMs);
    }
  }

  async #waitForTurn(): Promise<void> {
    const { limiter } = this.context;
    const { signal } = this.settings.request;
    if (signal?.aborted === true) throw this.#aborted();
    const isIn = limiter.tryEnter() || (await limiter.enter({ signal, retry: this.progress.attempts > 0 }));
    if (!isIn) throw this.#aborted();
    this.progress.attempts += 1;
  }

  async #attempt(): Promise<Attempt> {
    const { transport, runtime, limiter, onAttempt } = this.context;
    const { request, limits, call } = this.settings;
    const begunAt = runtime.now();
    this.#timeoutMs = Math.max(1, Math.min(limits.timeoutMs, this.#leftMs));
    const tried = await attempt(transport, { ...request, timeoutMs: this.#timeoutMs });
    const { response } = tried;
    const milliseconds = runtime.now() - begunAt;
    this.#leftMs -= milliseconds;
    this.#tried.push(tried);
    if (onAttempt !== undefined) {
      const { method } = request;
      const { attempts } = this.progress;
      tell(onAttempt, { method, path: call.path, attempt: attempts, status: response?.status, milliseconds });
    }
    // Whatever it says of this request, the service had room for it.
    if (response !== undefined && !isTransient(tried)) limiter.accepted();
    limiter.release();
    return tried;
  }

  /** How long to wait before the next attempt, in milliseconds. @throws AudienceError where there is none. */
  #afterFailure(tried: Attempt): number {
    const { runtime, limiter } = this.context;
    const { call, limits } = this.settings;
    const { response, failure } = tried;
    if (failure?.reason === 'aborted') throw this.#aborted();
    const error = this.#errorOf(tried);
    const { retryAfterMs = 0 } = error;
    if (response?.status === 429) limiter.limited();
    if (!shouldRetry(call.endpoint.repeatability, this.#tried)) throw error;

    // A kept-alive connection that the service had closed says nothing of the service: one replay, at once.
    if (failure?.staleSocket === true && !this.#staleSocketReplayed) {
      this.#staleSocketReplayed = true;
      return 0;
    }
    const failures = this.#countOf(response?.status);
    if (this.#retries > limits.maxRetries || retryAfterMs > LONGEST_RETRY_AFTER_MS) throw error;
    const delayMs = Math.max(1, retryDelay(failures, runtime.random(), retryAfterMs));
    if (response?.status === 409) {
      this.#conflictMs += delayMs;
      if (this.#conflictMs > CONFLICTS_MS || delayMs >= this.#leftMs) throw error;
    }
    if (delayMs >= this.#leftMs) throw outOfTime(error, this.data(response), limits.deadlineMs);
    this.#leftMs -= delayMs;
    return delayMs;
  }

  /** Counts a failure. Neither a 429 nor a 409 uses up a retry: the service is there. */
  #countOf(status: number | undefined): number {
    if (status === 409) this.#retries = 0;
    if (status === 429 || status === 409) return (this.#refusedForRate += 1);
    return (this.#retries += 1);
  }

  async #wait(delayMs: number): Promise<void> {
    const { signal } = this.settings.request;
    try {
      await this.context.runtime.sleep(delayMs, signal);
    } catch (error) {
      if (signal?.aborted !== true) throw error;
    }
    if (signal?.aborted === true) throw this.#aborted();
    this.progress.totalRetryDelayMs += delayMs;
  }

  #errorOf({ response, failure }: Attempt): AudienceError {
    const data = this.data(response);
    return response === undefined
      ? errorForFailure(failure, data, this.#timeoutMs)
      : errorForStatus(response.status, data);
  }

  #aborted(): AudienceError {
    return errorForAbort(this.data(), this.settings.request.signal);
  }
}
