import type { AudienceError } from '../errors.js';
import { attempt, type Attempt } from './attempt.js';
import type { PreparedCall } from './prepared-call.js';
import type { CallLimits } from './call.js';
import type { CallLog } from './call-log.js';
import {
  errorForAbort,
  errorForFailure,
  errorForStatus,
  errorForTurn,
  outOfTime,
  type ErrorContext,
} from './error-messages.js';
import type { HostWords } from './host-words.js';
import type { IdempotencyKey } from './idempotency.js';
import type { Limiter } from './limiter.js';
import { keyVerdict, type KeyVerdict } from './key-verdict.js';
import type { Progress, ResponseFacts } from './response-facts.js';
import { retryAfterOf } from './retry-after.js';
import { isTransient, mayBeAtWork, mayHaveArrived, retryDelay, shouldRetry } from './retry.js';
import type { Runtime } from './runtime.js';
import type { Transport, TransportRequest, TransportResponse } from './transport.js';

/** Longest wait that a `Retry-After` is obeyed for; a longer one ends the call in an error that carries it. */
const LONGEST_RETRY_AFTER_MS = 60_000;

export interface AttemptContext {
  readonly baseUrl: string;
  readonly transport: Transport;
  readonly runtime: Runtime;
  readonly limiter: Limiter;
  readonly facts: ResponseFacts;
  readonly words: HostWords;
}

export interface AttemptSettings {
  readonly call: PreparedCall;
  readonly request: Omit<TransportRequest, 'timeoutMs'>;
  readonly limits: CallLimits;
  readonly key: IdempotencyKey | undefined;
  readonly log: CallLog | undefined;
}

export interface AttemptsEnd {
  readonly response: TransportResponse;
  /** Whether an earlier attempt had carried the call out. */
  readonly deduplicated: boolean;
}

type Next = { readonly delayMs: number; readonly reason: string } | AttemptsEnd;

/** The attempts of one call: each waits for its turn, and what came of it decides over the next. */
export class Attempts {
  readonly progress: Progress = { attempts: 0, totalRetryDelayMs: 0 };
  readonly #deadline: number;
  /** Time limit of the last attempt. */
  #timeoutMs = 0;
  /** Whether an earlier attempt may have been carried out. */
  #unclear = false;
  /** Whether the service may still work on an earlier attempt. */
  #mayBeAtWork = false;
  #retries = 0;
  #conflicts = 0;
  #staleSocketReplayed = false;

  constructor(
    private readonly context: AttemptContext,
    readonly settings: AttemptSettings,
  ) {
    this.#deadline = context.runtime.now() + settings.limits.deadlineMs;
  }

  /**
   * What an error of this call needs to know.
   *
   * @param isRejection whether the response says that the call was not carried out.
   */
  errorContext(response?: TransportResponse, isRejection = false): ErrorContext {
    const { call, key } = this.settings;
    const { facts, baseUrl, runtime, words } = this.context;
    const verdict = this.#verdict(response);
    // A used key was used by some request, and a redirect can follow a request that was carried out.
    const isOpen = verdict !== undefined || (response?.status ?? 400) < 400;
    const redirect = response?.headers['location'];
    const known = {
      ...this.progress,
      unclear: call.endpoint.method !== 'GET' && (this.#unclear || (isOpen && !isRejection)),
      idempotencyKey: key?.value,
      retryAfterMs: response && retryAfterOf(response, runtime.now()),
    };
    return {
      facts: facts.ofCall(call, known, response),
      action: call.action,
      baseUrl,
      words,
      endpoint: call.endpoint,
      isMinted: key?.isMinted === true,
      verdict,
      redirect: redirect === undefined ? undefined : facts.redact(redirect),
    };
  }

  /** Tries until there is a 2xx response, or an earlier attempt is known to have been carried out. */
  async run(): Promise<AttemptsEnd> {
    for (;;) {
      await this.#waitForTurn();
      const tried = await this.#attempt();
      const { response } = tried;
      if (response !== undefined && response.status >= 200 && response.status < 300)
        return { response, deduplicated: false };
      const next = this.#afterFailure(tried);
      if (!('delayMs' in next)) return next;
      this.settings.log?.(
        `attempt ${this.progress.attempts + 1} follows in ${next.delayMs} ms (${next.reason})`,
      );
      if (next.delayMs > 0) await this.#wait(next.delayMs);
    }
  }

  async #waitForTurn(): Promise<void> {
    const { limiter } = this.context;
    const { signal } = this.settings.request;
    if (signal?.aborted === true) throw this.#aborted();
    if (!limiter.tryEnter()) {
      const retry = this.progress.attempts > 0;
      const turn = await limiter.enter({ deadline: this.#deadline, signal, retry });
      if (turn === 'aborted') throw this.#aborted();
      if (turn === 'expired') throw errorForTurn(this.errorContext());
    }
    this.progress.attempts += 1;
  }

  async #attempt(): Promise<Attempt> {
    const { transport, runtime, limiter } = this.context;
    const { request, limits, log } = this.settings;
    const name = `attempt ${this.progress.attempts}`;
    const begunAt = runtime.now();
    this.#timeoutMs = Math.max(1, Math.min(limits.timeoutMs, this.#deadline - begunAt));
    log?.(name);
    const tried = await attempt(transport, { ...request, timeoutMs: this.#timeoutMs });
    const { response, failure } = tried;
    log?.(`${name}: ${response?.status ?? failure?.message} in ${runtime.now() - begunAt} ms`);
    // Whatever it says of this request, the service had room for it.
    if (response !== undefined && !isTransient(tried)) limiter.accepted();
    limiter.release();
    return tried;
  }

  #afterFailure(tried: Attempt): Next {
    const { runtime, limiter } = this.context;
    const { call, limits } = this.settings;
    const { response, failure } = tried;
    this.#unclear ||= mayHaveArrived(tried);
    this.#mayBeAtWork ||= mayBeAtWork(tried);
    if (failure?.reason === 'aborted') throw this.#aborted();
    const verdict = this.#verdict(response);
    if (response !== undefined && verdict !== undefined) return this.#afterVerdict(verdict, response);

    const error = this.#errorOf(tried);
    const { retryAfterMs } = error;
    if (response?.status === 429) limiter.limited();
    if (!shouldRetry(call.endpoint.repeatability, tried)) throw error;

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

  /** What a refusal says of the key; absent where it has another reason or the call has no key. */
  #verdict(response: TransportResponse | undefined): KeyVerdict | undefined {
    if (response === undefined || this.settings.key === undefined) return undefined;
    const verdict = keyVerdict(response.status, response.body);
    return verdict === 'other' && response.status !== 409 ? undefined : verdict;
  }

  /** What to do after a refusal of the key; the README has the table. */
  #afterVerdict(verdict: KeyVerdict, response: TransportResponse): Next {
    const { key } = this.settings;
    const { runtime } = this.context;
    const isOfThisCall = key?.isMinted === true ? this.#unclear : key?.meansSent;
    const isRetried = verdict === 'in-progress' || (verdict === 'used' && this.#mayBeAtWork);
    if (verdict === 'used' && isOfThisCall && !isRetried) return { response, deduplicated: true };
    const error = this.#errorOf({ response });
    const { retryAfterMs = 0 } = error;
    if (!isRetried || retryAfterMs > LONGEST_RETRY_AFTER_MS) throw error;
    this.#conflicts += 1;
    // The service is there: earlier failures no longer count.
    this.#retries = 0;
    const delayMs = Math.max(1, retryDelay(this.#conflicts, runtime.random(), retryAfterMs));
    if (runtime.now() + delayMs >= this.#deadline) throw error;
    return { delayMs, reason: String(response.status) };
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
    return errorForAbort(this.errorContext(), this.settings.request.signal);
  }
}
