import { createRedactor, type Redactor } from '../redact.js';
import type * as z from '../zod.js';
import { LightSignal } from './abort.js';
import { Attempts, type AttemptContext } from './attempts.js';
import type { CallOptions, CallLimits, PaceOptions, ResponseInfo, WithResponse } from './call.js';
import { limitsOf, type PreparedCall } from './prepared-call.js';
import { decodeResponse } from './decode.js';
import { Pace } from './pace.js';
import type { IdempotencyKey } from './retry.js';
import { allowManyListeners } from './runtime.js';
import type { TransportResponse } from './transport.js';

interface PipelineOptions
  extends Omit<AttemptContext, 'pace' | 'stopped' | 'redact'>, PaceOptions, CallLimits {
  readonly userAgent: string;
  readonly usedKeyStatus?: number | undefined;
  readonly secrets?: readonly string[] | undefined;
}

/** The path of every call: idempotency key, then attempts, then decoding. */
export class Pipeline {
  /** Removes the secrets from a text, before it becomes part of an error. */
  readonly redact: Redactor;
  readonly #stopped = new LightSignal();
  readonly #options: PipelineOptions;
  readonly #context: AttemptContext;

  constructor(options: PipelineOptions) {
    this.redact = createRedactor(options.secrets ?? []);
    this.#options = options;
    const pace = new Pace(options, options.runtime, this.#stopped);
    this.#context = { ...options, pace, stopped: this.#stopped, redact: this.redact };
  }

  /** Makes a call, and reads its response. */
  async run<Response extends z.ZodMiniType>(
    call: PreparedCall<Response>,
    options?: CallOptions,
  ): Promise<WithResponse<z.infer<Response>>> {
    const { response, attempts } = await this.#carryOut(call, options);
    return { data: readBody(call, response, attempts), response: infoOf(response, attempts) };
  }

  /** Sends what has a key. `deduplicated`: the status says that an earlier request with the key succeeded. */
  async send(call: PreparedCall, options?: CallOptions) {
    const { response, attempts } = await this.#carryOut(call, options);
    const deduplicated = response.status >= 300;
    // The body of such a response says nothing of the earlier request.
    if (!deduplicated) readBody(call, response, attempts);
    return { deduplicated, response: infoOf(response, attempts) };
  }

  /** Lets no further request begin. */
  stop(): void {
    this.#stopped.abort();
  }

  async #carryOut(call: PreparedCall, options: CallOptions = {}) {
    const body = call.body === undefined ? undefined : JSON.stringify(call.body);
    const { baseUrl, userAgent, usedKeyStatus } = this.#options;
    const { endpoint } = call;
    const key = endpoint.isKeyed === true ? this.#keyOf(options) : undefined;
    const { signal } = options;
    if (signal !== undefined) allowManyListeners(signal);
    const rules = { endpoint, key, usedKeyStatus, limits: limitsOf(options, this.#options) };
    const attempts = new Attempts(this.#context, call, rules, {
      method: endpoint.method,
      url: baseUrl + call.path,
      headers: {
        accept: 'application/json',
        'user-agent': userAgent,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key.value }),
      },
      body,
      signal,
    });
    return { response: await attempts.run(), attempts };
  }

  /** The key for all attempts of a call: the caller's, or a random one. */
  #keyOf({ idempotencyKey, earlierRequest = true }: CallOptions): IdempotencyKey {
    return idempotencyKey === undefined
      ? { value: this.#options.runtime.randomUUID(), isOwn: false, earlierRequest: false }
      : { value: idempotencyKey, isOwn: true, earlierRequest };
  }
}

/** Reads a 2xx response. @throws AudienceError where it does not say that the call succeeded. */
function readBody<Response extends z.ZodMiniType>(
  { endpoint }: PreparedCall<Response>,
  response: TransportResponse,
  attempts: Attempts,
): z.infer<Response> {
  const decoded = decodeResponse(endpoint, response.body);
  if (decoded.ok) return decoded.data;
  const { code, issue } = decoded;
  throw attempts.error({ code, issue, last: { end: response, retryAfterMs: undefined } });
}

function infoOf(response: TransportResponse, { progress, rules }: Attempts): ResponseInfo {
  const { key } = rules;
  return { ...response, ...progress, idempotencyKey: key?.value };
}
