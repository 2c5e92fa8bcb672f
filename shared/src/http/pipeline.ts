import type { z } from 'zod/v4';
import type { Endpoint } from '../contract/endpoint.js';
import {
  AbortedError,
  NetworkError,
  RateLimitError,
  RejectedError,
  ServerError,
  TimeoutError,
  UnexpectedResponseError,
} from '../errors.js';
import type { AudienceError, CallFacts } from '../errors.js';
import { decodeAnswer, messageInBody } from './decode.js';
import { errorForStatus } from './error-for.js';
import { chooseIdempotencyKey } from './idempotency.js';
import type { IdempotencyOptions } from './idempotency.js';
import { Limiter } from './limiter.js';
import type { LimiterOptions } from './limiter.js';
import type { Redactor } from './redact.js';
import { parseRetryAfter } from './retry-after.js';
import { mayHaveArrived, retryDelay, shouldRetry } from './retry.js';
import type { AttemptOutcome } from './retry.js';
import type { Runtime } from './runtime.js';
import { TransportFailure } from './transport.js';
import type { Transport, TransportRequest, TransportResponse } from './transport.js';

/** How long and how often a call is tried. */
export interface CallLimits {
  /** Time for one attempt, in milliseconds. 30,000 unless given. */
  readonly timeoutMs: number;
  /**
   * Time for the whole call with all attempts and the waits between them, in milliseconds. 120,000 unless given.
   * It begins with the first attempt: waiting for a turn under the limits of this client does not count.
   */
  readonly deadlineMs: number;
  /** Further attempts after the first one. 5 unless given. */
  readonly maxRetries: number;
}

/** Options of a single call; limits given here win over those of the client. */
export interface CallOptions extends Partial<CallLimits>, IdempotencyOptions {
  /** Ends the call, also in the middle of a wait. */
  readonly signal?: AbortSignal | undefined;
}

/** What a pipeline is made of. */
export interface PipelineOptions extends LimiterOptions {
  readonly baseUrl: string;
  readonly transport: Transport;
  readonly runtime: Runtime;
  readonly limits: CallLimits;
  readonly redact: Redactor;
  readonly bodySnippets: boolean;
  readonly userAgent: string;
}

/** A request that has been checked. */
export interface PreparedCall<Answer extends z.ZodType> {
  readonly endpoint: Endpoint<z.ZodType, z.ZodType, z.ZodType, Answer>;
  /** Path below the base URL, encoded, with its query. */
  readonly path: string;
  /** Body as it goes over the wire. */
  readonly body?: unknown;
  /** What is to be done, for messages: `update contact 'ada@example.com'`. */
  readonly action: string;
}

/** The answer to a call as it came, and what it took to get it. */
export interface ResponseInfo {
  readonly status: number;
  /** Headers with lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Body as text. */
  readonly body: string;
  /** Id that the service gave the request, where it sent one. */
  readonly requestId: string | undefined;
  /** How many requests were sent for this call. */
  readonly attempts: number;
  /** Time spent waiting between them, in milliseconds. */
  readonly totalRetryDelayMs: number;
  /** Key that went with every attempt, where the endpoint takes one. */
  readonly idempotencyKey: string | undefined;
}

/** Answer of a pipeline: typed, and as it came. */
export interface PipelineResult<Answer> {
  /** `undefined` where the service said that this request was carried out before (409). */
  readonly answer: Answer | undefined;
  readonly deduplicated: boolean;
  readonly response: ResponseInfo;
}

/** Longest wait that a `Retry-After` is obeyed for; a longer one ends the call in an error that carries it. */
const LONGEST_RETRY_AFTER_MS = 60_000;
const SNIPPET_LENGTH = 500;
const REQUEST_ID_HEADERS = ['x-request-id', 'request-id', 'x-correlation-id'];

/** What the attempts of one call have in common. */
interface Progress {
  attempts: number;
  totalRetryDelayMs: number;
  /** Whether an attempt that failed may have been carried out all the same. */
  unclear: boolean;
}

type Attempt =
  | { readonly response: TransportResponse; readonly failure?: undefined }
  | { readonly response?: undefined; readonly failure: TransportFailure };

/** The one way that every call goes: idempotency key, limits, attempts with time-outs, retries, decoding. */
export class Pipeline {
  readonly baseUrl: string;
  readonly runtime: Runtime;
  readonly limits: CallLimits;
  readonly #transport: Transport;
  readonly #redact: Redactor;
  readonly #bodySnippets: boolean;
  readonly #limiter: Limiter;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #headersWithBody: Readonly<Record<string, string>>;

  constructor(options: PipelineOptions) {
    this.baseUrl = options.baseUrl;
    this.runtime = options.runtime;
    this.limits = options.limits;
    this.#transport = options.transport;
    this.#redact = options.redact;
    this.#bodySnippets = options.bodySnippets;
    this.#limiter = new Limiter(options, options.runtime);
    this.#headers = { accept: 'application/json', 'user-agent': options.userAgent };
    this.#headersWithBody = { ...this.#headers, 'content-type': 'application/json' };
  }

  /**
   * Carries a call out.
   *
   * @throws AudienceError one of its subclasses, by what went wrong.
   */
  async run<Answer extends z.ZodType>(
    call: PreparedCall<Answer>,
    options: CallOptions = {},
  ): Promise<PipelineResult<z.infer<Answer>>> {
    const { endpoint } = call;
    const key = chooseIdempotencyKey(endpoint.repeatability, options, this.runtime);
    const progress: Progress = { attempts: 0, totalRetryDelayMs: 0, unclear: false };
    const { signal } = options;
    if (signal?.aborted === true) throw this.#aborted(call, progress, signal);
    const maxRetries = options.maxRetries ?? this.limits.maxRetries;
    const timeoutMs = options.timeoutMs ?? this.limits.timeoutMs;
    const base: Omit<TransportRequest, 'timeoutMs'> = {
      method: endpoint.method,
      url: this.baseUrl + call.path,
      headers: this.#headersFor(call, key),
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      ...(signal === undefined ? {} : { signal }),
    };
    const callId = this.runtime.observed === true ? this.runtime.randomUUID() : '';
    let staleSocketReplayed = false;
    let deadline = Number.POSITIVE_INFINITY;

    for (;;) {
      await this.#enter(call, progress, signal, deadline);
      if (progress.attempts === 1)
        deadline = this.runtime.now() + (options.deadlineMs ?? this.limits.deadlineMs);
      const remaining = deadline - this.runtime.now();
      const attempt = await this.#attempt(
        { ...base, timeoutMs: Math.max(1, Math.min(timeoutMs, remaining)) },
        call,
        progress,
        callId,
      );
      const outcome = outcomeOf(attempt);

      if (attempt.response !== undefined) {
        const { response } = attempt;
        // Whatever it says of this request, it had room for it.
        if (response.status < 500 && response.status !== 429 && response.status !== 408) {
          this.#limiter.accepted();
        }
        if (response.status >= 200 && response.status < 300) {
          return this.#decode(call, response, progress, key);
        }
        if (response.status === 409 && this.#wasSentBefore(progress, options, key)) {
          return { answer: undefined, deduplicated: true, response: this.#info(response, progress, key) };
        }
      } else if (attempt.failure.reason === 'aborted') {
        throw this.#aborted(call, progress, signal);
      }

      const retryAfterMs =
        attempt.response === undefined
          ? undefined
          : parseRetryAfter(attempt.response.headers['retry-after'], this.runtime.now());
      if (attempt.response?.status === 429) this.#limiter.limited(retryAfterMs);
      const error = this.#errorFor(call, attempt, progress, retryAfterMs, timeoutMs);
      if (!shouldRetry(endpoint.repeatability, outcome)) throw error;
      progress.unclear ||= mayHaveArrived(outcome);

      // A kept-alive connection that the service had closed says nothing of the service: one replay, at once.
      if (attempt.failure?.staleSocket === true && !staleSocketReplayed) {
        staleSocketReplayed = true;
        this.#publishRetry(call, callId, progress, 0, error);
        continue;
      }
      const retries = progress.attempts - (staleSocketReplayed ? 1 : 0);
      if (retries > maxRetries) throw error;
      const delay = retryDelay(retries, this.runtime.random(), retryAfterMs);
      if (retryAfterMs !== undefined && retryAfterMs > LONGEST_RETRY_AFTER_MS) throw error;
      if (this.runtime.now() + delay >= deadline) throw this.#outOfTime(error, call, progress);
      this.#publishRetry(call, callId, progress, delay, error);
      await this.#sleep(delay, call, progress, signal);
      progress.totalRetryDelayMs += delay;
    }
  }

  async #enter(
    call: PreparedCall<z.ZodType>,
    progress: Progress,
    signal: AbortSignal | undefined,
    deadline: number,
  ): Promise<void> {
    if (!this.#limiter.tryAcquire()) {
      try {
        await this.#limiter.acquire(signal);
      } catch (error) {
        if (signal?.aborted === true) throw this.#aborted(call, progress, signal);
        throw error;
      }
      if (this.runtime.now() >= deadline) {
        this.#limiter.release();
        throw new TimeoutError(
          `Could not ${call.action}: the turn of another attempt did not come before the deadline. Give the call more time, or raise the limits of this client.`,
          this.#facts(call, progress),
        );
      }
    }
    progress.attempts += 1;
  }

  async #attempt(
    request: TransportRequest,
    call: PreparedCall<z.ZodType>,
    progress: Progress,
    callId: string,
  ): Promise<Attempt> {
    const { operationId } = call.endpoint;
    const started = callId === '' ? 0 : this.runtime.now();
    const attempt = progress.attempts;
    if (callId !== '') this.runtime.publish?.({ type: 'request', callId, operationId, attempt });
    let ended: Attempt;
    try {
      ended = { response: await this.#transport(request) };
    } catch (error) {
      ended = { failure: error instanceof TransportFailure ? error : new TransportFailure('network') };
    } finally {
      this.#limiter.release();
    }
    if (callId !== '') {
      const durationMs = this.runtime.now() - started;
      const status =
        ended.response === undefined ? { failure: ended.failure.message } : { status: ended.response.status };
      this.runtime.publish?.({ type: 'response', callId, operationId, attempt, ...status, durationMs });
    }
    return ended;
  }

  async #sleep(
    delay: number,
    call: PreparedCall<z.ZodType>,
    progress: Progress,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    try {
      await this.runtime.sleep(delay, signal);
    } catch (error) {
      if (signal?.aborted !== true) throw error;
    }
    if (signal?.aborted === true) throw this.#aborted(call, progress, signal);
  }

  #headersFor(call: PreparedCall<z.ZodType>, key: string | undefined): Readonly<Record<string, string>> {
    const headers = call.body === undefined ? this.#headers : this.#headersWithBody;
    return key === undefined ? headers : { ...headers, 'idempotency-key': key };
  }

  #wasSentBefore(progress: Progress, options: CallOptions, key: string | undefined): boolean {
    if (key === undefined) return false;
    if (options.deterministicKey === true && options.idempotencyKey !== undefined) return true;
    // A key of our own that was sent before can only clash with itself; one of the caller's might have been
    // used elsewhere, unless an attempt of this call may have arrived.
    return options.idempotencyKey === undefined ? progress.attempts > 1 : progress.unclear;
  }

  #decode<Answer extends z.ZodType>(
    call: PreparedCall<Answer>,
    response: TransportResponse,
    progress: Progress,
    key: string | undefined,
  ): PipelineResult<z.infer<Answer>> {
    const decoded = decodeAnswer(call.endpoint, response);
    if (decoded.ok) {
      return { answer: decoded.answer, deduplicated: false, response: this.#info(response, progress, key) };
    }
    const facts = this.#facts(call, progress, response);
    if (decoded.rejected) {
      const said = this.#quote(response);
      throw new RejectedError(
        `Could not ${call.action}: the service answered ${response.status}, but reports no success.${said === undefined ? '' : ` It says: "${said}".`}`,
        facts,
      );
    }
    throw new UnexpectedResponseError(
      `Could not ${call.action}, or could not tell: the service at ${this.baseUrl} answered ${response.status}, but ${decoded.problem}. Check that the base URL is that of the service.`,
      facts,
    );
  }

  #errorFor(
    call: PreparedCall<z.ZodType>,
    attempt: Attempt,
    progress: Progress,
    retryAfterMs: number | undefined,
    timeoutMs: number,
  ): AudienceError {
    if (attempt.response !== undefined) {
      const { response } = attempt;
      const location = response.headers['location'];
      return errorForStatus(response.status, {
        facts: this.#facts(call, progress, response),
        action: call.action,
        keyed: call.endpoint.repeatability === 'keyed',
        serviceMessage: this.#quote(response),
        baseUrl: this.baseUrl,
        retryAfterMs,
        location: location === undefined ? undefined : this.#redact(location),
      });
    }
    const facts = this.#facts(call, progress);
    const tries = progress.attempts > 1 ? ` after ${progress.attempts} attempts` : '';
    const { failure } = attempt;
    if (failure.reason === 'timeout') {
      return new TimeoutError(
        `Could not ${call.action}, or could not tell: no answer from ${this.baseUrl} within ${timeoutMs} ms${tries}.`,
        facts,
      );
    }
    return new NetworkError(
      `Could not ${call.action}: ${explainNetwork(failure, this.baseUrl, tries)}.`,
      facts,
      failure.networkCode,
    );
  }

  #outOfTime(error: AudienceError, call: PreparedCall<z.ZodType>, progress: Progress): AudienceError {
    if (error instanceof RateLimitError || error instanceof ServerError) return error;
    return new TimeoutError(
      `${error.message} No time is left for another attempt.`,
      this.#facts(call, progress),
    );
  }

  #aborted(call: PreparedCall<z.ZodType>, progress: Progress, signal: AbortSignal | undefined): AbortedError {
    const sent = progress.attempts === 0 ? 'nothing was sent' : 'the service may have carried it out';
    return new AbortedError(
      `The call to ${call.action} was aborted; ${sent}.`,
      this.#facts(call, progress),
      signal === undefined ? undefined : { cause: signal.reason },
    );
  }

  #facts(call: PreparedCall<z.ZodType>, progress: Progress, response?: TransportResponse): CallFacts {
    const snippet = response === undefined || !this.#bodySnippets ? undefined : this.#snippet(response.body);
    const requestId = response === undefined ? undefined : this.#requestId(response);
    return {
      method: call.endpoint.method,
      path: this.#redact(call.path),
      attempts: progress.attempts,
      totalRetryDelayMs: progress.totalRetryDelayMs,
      ...(response === undefined ? {} : { status: response.status }),
      ...(requestId === undefined ? {} : { requestId }),
      ...(snippet === undefined ? {} : { bodySnippet: snippet }),
    };
  }

  #requestId(response: TransportResponse): string | undefined {
    for (const header of REQUEST_ID_HEADERS) {
      const id = response.headers[header];
      if (id !== undefined) return this.#redact(id);
    }
    return undefined;
  }

  /** Redacted before it is cut, so that the cut cannot leave half a secret. */
  #snippet(body: string): string {
    const text = this.#redact(body);
    return text.length > SNIPPET_LENGTH ? `${text.slice(0, SNIPPET_LENGTH)}…` : text;
  }

  #quote(response: TransportResponse): string | undefined {
    if (!this.#bodySnippets) return undefined;
    const message = messageInBody(response.body);
    return message === undefined ? undefined : this.#snippet(message);
  }

  #info(response: TransportResponse, progress: Progress, key: string | undefined): ResponseInfo {
    return {
      status: response.status,
      headers: response.headers,
      body: response.body,
      requestId: this.#requestId(response),
      attempts: progress.attempts,
      totalRetryDelayMs: progress.totalRetryDelayMs,
      idempotencyKey: key,
    };
  }

  #publishRetry(
    call: PreparedCall<z.ZodType>,
    callId: string,
    progress: Progress,
    delayMs: number,
    error: AudienceError,
  ): void {
    if (callId === '') return;
    this.runtime.publish?.({
      type: 'retry',
      callId,
      operationId: call.endpoint.operationId,
      attempt: progress.attempts + 1,
      delayMs,
      reason: error.status === undefined ? error.code : String(error.status),
    });
  }
}

function outcomeOf(attempt: Attempt): AttemptOutcome {
  if (attempt.response !== undefined) return { kind: 'response', status: attempt.response.status };
  if (attempt.failure.reason === 'timeout') return { kind: 'timeout' };
  if (attempt.failure.untrusted) return { kind: 'untrusted' };
  return { kind: 'network', neverSent: attempt.failure.neverSent };
}

function explainNetwork(failure: TransportFailure, baseUrl: string, tries: string): string {
  const code = failure.networkCode === undefined ? '' : ` (${failure.networkCode})`;
  if (failure.untrusted) {
    return `the certificate of ${baseUrl} is not trusted${code}${tries}. Check the base URL; for an authority of your own, give an 'httpsAgent' with its certificate as 'ca'`;
  }
  switch (failure.networkCode) {
    case 'ECONNREFUSED':
      return `nothing answers at ${baseUrl}${code}${tries}. Check that the service runs and that the base URL is right`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `the host of ${baseUrl} cannot be found${code}${tries}. Check the base URL and the network`;
    default:
      return `the connection to ${baseUrl} failed${code}${tries}. Check the network, then try again`;
  }
}
