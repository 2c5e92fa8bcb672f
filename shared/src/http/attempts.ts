import { ConflictError } from '../errors.js';
import type { AudienceError, CallFacts } from '../errors.js';
import { attempt, outcomeOf } from './attempt.js';
import type { Attempt } from './attempt.js';
import type { PreparedCall } from './call.js';
import type { CallLimits } from './limits.js';
import { isSuccess, refuses } from './decode.js';
import type { CallDiagnostics } from './diagnostics.js';
import {
  errorForAbort,
  errorForFailure,
  errorForRejection,
  errorForStatus,
  errorForTurn,
  errorForUnknownOutcome,
  outOfTime,
} from './error-messages.js';
import type { ErrorContext, HostWords } from './error-messages.js';
import type { IdempotencyKey } from './idempotency.js';
import type { Limiter } from './limiter.js';
import { EarlierAttempts, speaksOfKey } from './once-only.js';
import type { ConflictMeaning } from './once-only.js';
import type { Progress, ResponseFacts } from './response-facts.js';
import { parseRetryAfter } from './retry-after.js';
import { isTransient, mayHaveArrived, retryDelay, shouldRetry } from './retry.js';
import type { Runtime } from './runtime.js';
import type { Transport, TransportRequest, TransportResponse } from './transport.js';

/** Longest wait that a `Retry-After` is obeyed for; a longer one ends the call in an error that carries it. */
const LONGEST_RETRY_AFTER_MS = 60_000;

/** How long a service may take to list what was made, in milliseconds. */
const SHOWS_WITHIN_MS = 10_000;

/** What all calls of a client share. */
export interface AttemptContext {
  readonly baseUrl: string;
  readonly transport: Transport;
  readonly runtime: Runtime;
  readonly limiter: Limiter;
  readonly facts: ResponseFacts;
  readonly words: HostWords;
}

/** What is settled for one call before its first attempt. */
export interface AttemptSettings {
  readonly call: PreparedCall;
  readonly request: Omit<TransportRequest, 'timeoutMs'>;
  readonly limits: CallLimits;
  /** Idempotency key, where the endpoint takes one. */
  readonly key: IdempotencyKey | undefined;
  /** The caller's signal. */
  readonly signal: AbortSignal | undefined;
  readonly diagnostics: CallDiagnostics;
  readonly lookUp?: LookUp | undefined;
}

/**
 * Finds out whether an unclear attempt of a call that must not be repeated blindly was carried out: resolves with
 * the response that shows it, or with nothing.
 *
 * @throws ConflictError where something else stands in its place.
 */
export type LookUp = (deadlineMs: number, facts: CallFacts) => Promise<TransportResponse | undefined>;

/** How the attempts of a call ended. */
export interface AttemptsEnd {
  /** The last response, or the one in which `lookUp` found the outcome. */
  readonly response: TransportResponse;
  /** Whether an earlier attempt had carried the call out. */
  readonly deduplicated: boolean;
}

/** What follows a failed attempt: the next one after a wait, or the end. */
type Next = { readonly delayMs: number; readonly reason: string } | AttemptsEnd;

/** The attempts of one call: each waits for its turn, and what came of it decides over the next. */
export class Attempts {
  readonly progress: Progress = { attempts: 0, totalRetryDelayMs: 0 };
  readonly #earlier: EarlierAttempts;
  readonly #deadline: number;
  /** When the last attempt began. */
  #begunAt = 0;
  /** Time that it was given. */
  #timeoutMs = 0;
  #retries = 0;
  #conflicts = 0;
  #staleSocketReplayed = false;

  constructor(
    private readonly context: AttemptContext,
    readonly settings: AttemptSettings,
  ) {
    this.#earlier = new EarlierAttempts(settings.key?.scope ?? 'anything', settings.limits.timeoutMs);
    this.#deadline = context.runtime.now() + settings.limits.deadlineMs;
  }

  /** Whether an attempt may have carried the call out that did not say so. */
  get wasUnclear(): boolean {
    return this.#earlier.unclear;
  }

  /**
   * What an error of this call tells.
   *
   * @param isRejection whether the response says that the call was not carried out.
   */
  errorContext(response?: TransportResponse, isRejection = false): ErrorContext {
    const { call, key } = this.settings;
    const { facts, baseUrl, runtime, words } = this.context;
    const writes = call.endpoint.method !== 'GET';
    // A used key was used by something; a redirect can follow on a request that was carried out.
    const isOpen = (response?.status === 409 && key !== undefined) || (response?.status ?? 400) < 400;
    const redirect = response?.headers['location'];
    const known = {
      ...this.progress,
      unclear: writes && (this.#earlier.unclear || (isOpen && !isRejection)),
      mayBeInProgress: writes && this.#earlier.mayBeInProgress,
      idempotencyKey: key?.value,
      retryAfterMs: parseRetryAfter(response?.headers['retry-after'], runtime.now()),
    };
    return {
      facts: facts.ofCall(call, known, response),
      action: facts.redact(call.action),
      baseUrl,
      words,
      endpoint: call.endpoint,
      isOfKey: key !== undefined && response?.status === 409 && speaksOfKey(response.body),
      redirect: redirect === undefined ? undefined : facts.redact(redirect),
    };
  }

  /**
   * Tries until there is a 2xx response, or it is known that an earlier attempt was carried out.
   *
   * @throws AudienceError one of its subclasses, by what went wrong.
   */
  async run(): Promise<AttemptsEnd> {
    for (;;) {
      await this.#takeTurn();
      const tried = await this.#attempt();
      const late = await this.#lookUpRefused(tried);
      if (late !== undefined) return { response: late, deduplicated: true };
      if (tried.response !== undefined && isSuccess(tried.response)) {
        return { response: tried.response, deduplicated: false };
      }
      const next = await this.#afterFailure(tried);
      if (!('delayMs' in next)) return next;
      this.settings.diagnostics.retry(this.progress.attempts + 1, next.delayMs, next.reason);
      if (next.delayMs > 0) await this.#wait(next.delayMs);
    }
  }

  async #takeTurn(): Promise<void> {
    const { limiter } = this.context;
    if (this.settings.signal?.aborted === true) throw this.#aborted();
    if (!limiter.tryEnter()) {
      const retry = this.progress.attempts > 0;
      const turn = await limiter.enter({
        deadline: this.#deadline,
        signal: this.settings.request.signal,
        retry,
      });
      if (turn === 'aborted') throw this.#aborted();
      if (turn === 'expired') throw errorForTurn(this.errorContext());
    }
    this.progress.attempts += 1;
  }

  async #attempt(): Promise<Attempt> {
    const { context, settings, progress } = this;
    this.#begunAt = context.runtime.now();
    const remaining = this.#deadline - this.#begunAt;
    this.#timeoutMs = Math.max(1, Math.min(settings.limits.timeoutMs, remaining));
    settings.diagnostics.request(progress.attempts);
    const tried = await attempt(context.transport, { ...settings.request, timeoutMs: this.#timeoutMs });
    const { response, failure } = tried;
    settings.diagnostics.response(
      progress.attempts,
      response === undefined ? { failure: failure.message } : { status: response.status },
    );
    // Whatever it says of this request, the service had room for it.
    if (response !== undefined && !isTransient(outcomeOf(tried))) context.limiter.accepted();
    context.limiter.leave();
    return tried;
  }

  async #afterFailure(tried: Attempt): Promise<Next> {
    const { runtime, limiter } = this.context;
    const { call, limits } = this.settings;
    const { response, failure } = tried;
    const outcome = outcomeOf(tried);
    const now = runtime.now();
    this.#earlier.add(outcome, this.#begunAt, now);
    if (failure?.reason === 'aborted') throw this.#aborted();
    if (response?.status === 409 && this.settings.key !== undefined)
      return this.#afterConflict(response, now);

    const error = this.#errorOf(tried);
    const { retryAfterMs } = error;
    if (response?.status === 429) limiter.limited();
    const found = mayHaveArrived(outcome) ? await this.#lookUp(error) : undefined;
    if (found !== undefined) return { response: found, deduplicated: true };
    const lookedUp = this.settings.lookUp !== undefined && mayHaveArrived(outcome);
    if (!shouldRetry(lookedUp ? 'idempotent' : call.endpoint.repeatability, outcome)) throw error;

    const reason = error.status === undefined ? error.code : String(error.status);
    // A kept-alive connection that the service had closed says nothing of the service: one replay, at once.
    if (failure?.staleSocket === true && !this.#staleSocketReplayed) {
      this.#staleSocketReplayed = true;
      return { delayMs: 0, reason };
    }
    this.#retries += 1;
    if (this.#retries > limits.maxRetries) throw error;
    if (retryAfterMs !== undefined && retryAfterMs > LONGEST_RETRY_AFTER_MS) throw error;
    const delayMs = retryDelay(this.#retries, runtime.random(), retryAfterMs);
    if (runtime.now() + delayMs >= this.#deadline) throw outOfTime(error);
    return { delayMs, reason };
  }

  /** A used key: by an attempt that is still in progress, by one that is done, or by something else. */
  #afterConflict(response: TransportResponse, now: number): Next {
    const meaning: ConflictMeaning = speaksOfKey(response.body)
      ? this.#earlier.meaningOfConflict(now)
      : { kind: 'conflict' };
    if (meaning.kind === 'sent-before') return { response, deduplicated: true };
    const error = this.#errorOf({ response });
    if (meaning.kind === 'conflict') throw error;
    this.#conflicts += 1;
    // The service is there: what failed before is no longer held against it.
    this.#retries = 0;
    const delay = retryDelay(this.#conflicts, this.context.runtime.random());
    const { retryAfterMs = 0 } = error;
    if (retryAfterMs > LONGEST_RETRY_AFTER_MS) throw error;
    const delayMs = Math.max(1, Math.min(delay, meaning.until - now), retryAfterMs);
    if (now + delayMs >= this.#deadline) throw errorForUnknownOutcome(this.errorContext(response));
    return { delayMs, reason: '409' };
  }

  /**
   * A refusal after an unclear attempt may be of what that attempt has made, which may show late.
   */
  async #lookUpRefused(tried: Attempt): Promise<TransportResponse | undefined> {
    const { response } = tried;
    if (this.settings.lookUp === undefined || !this.#earlier.unclear) return undefined;
    if (response === undefined || !refuses(response)) return undefined;
    const { runtime } = this.context;
    const error = isSuccess(response)
      ? errorForRejection(this.errorContext(response, true))
      : this.#errorOf(tried);
    const until = Math.min(runtime.now() + SHOWS_WITHIN_MS, this.#deadline);
    for (let looks = 1; ; looks += 1) {
      const found = await this.#lookUp(error);
      if (found !== undefined) return found;
      const delayMs = retryDelay(looks, runtime.random());
      if (runtime.now() + delayMs >= until) return undefined;
      await this.#wait(delayMs);
    }
  }

  async #lookUp(error: AudienceError): Promise<TransportResponse | undefined> {
    const { lookUp, signal } = this.settings;
    if (lookUp === undefined) return undefined;
    const left = this.#deadline - this.context.runtime.now();
    if (left < 1) throw outOfTime(error);
    try {
      return await lookUp(left, error);
    } catch (lookUpError) {
      if (signal?.aborted === true) throw this.#aborted();
      throw lookUpError instanceof ConflictError ? lookUpError : error;
    }
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
    const context = this.errorContext(response);
    return response === undefined
      ? errorForFailure(failure, context, this.#timeoutMs)
      : errorForStatus(response.status, context);
  }

  #aborted(): AudienceError {
    return errorForAbort(this.errorContext(), this.settings.signal?.reason);
  }
}
