import { ValidationError } from '../errors.js';
import type * as z from '../zod.js';
import { LightSignal, scopeOf } from './abort.js';
import { Attempts, type AttemptContext } from './attempts.js';
import { createRedactor, requestIdOf, type Redactor } from './call-errors.js';
import type { CallOptions, CallLimits, PaceOptions, ResponseInfo, WithResponse } from './call.js';
import { checkCallOptions, limitsOf, type PreparedCall } from './call-options.js';
import { decodeResponse } from './decode.js';
import { Pace } from './pace.js';
import type { IdempotencyKey } from './retry.js';
import { LARGEST_BODY, type TransportResponse } from './transport.js';

interface PipelineOptions
  extends Omit<AttemptContext, 'pace' | 'stopped' | 'redact'>, PaceOptions, CallLimits {
  readonly userAgent: string;
  readonly usedKeyStatus?: number | undefined;
  readonly secrets?: readonly string[] | undefined;
}

/** How a call with a key succeeded. `deduplicated`: an earlier request with the key had carried it out. */
interface Sent {
  readonly deduplicated: boolean;
  readonly response: ResponseInfo;
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
  run<Response extends z.ZodMiniType>(
    call: PreparedCall<Response>,
    options?: CallOptions,
  ): Promise<WithResponse<z.infer<Response>>> {
    return this.#carryOut(call, options, (response, attempts) => ({
      data: readBody(call, response, attempts),
      response: infoOf(response, attempts),
    }));
  }

  /** Sends what has a key. The status of a used key is a success, whose body says nothing of the earlier request. */
  send(call: PreparedCall, options?: CallOptions): Promise<Sent> {
    return this.#carryOut(call, options, (response, attempts) => {
      const isOfUsedKey = response.status >= 300;
      if (!isOfUsedKey) readBody(call, response, attempts);
      return {
        // Some services mark a repeated response with this header; the interface does not define it.
        deduplicated: isOfUsedKey || response.headers['idempotent-replayed'] === 'true',
        response: infoOf(response, attempts),
      };
    });
  }

  /** Lets no further request begin. */
  stop(): void {
    this.#stopped.abort();
  }

  async #carryOut<Result>(
    call: PreparedCall,
    given: CallOptions | undefined,
    read: (response: TransportResponse, attempts: Attempts) => Result,
  ): Promise<Result> {
    const what = `Could not ${call.action}`;
    if (given !== undefined) checkCallOptions(given, what);
    const options = given ?? {};
    const body = call.body === undefined ? undefined : JSON.stringify(call.body);
    if (body !== undefined && body.length > LARGEST_BODY)
      throw new ValidationError(what, [{ path: [], code: 'tooLargeBody' }]);
    const { baseUrl, userAgent, usedKeyStatus } = this.#options;
    const { endpoint } = call;
    const key = endpoint.isKeyed === true ? this.#keyOf(options) : undefined;
    const scope = options.signal && scopeOf(options.signal);
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
      signal: scope?.signal,
    });
    try {
      return read(await attempts.run(), attempts);
    } finally {
      scope?.end();
    }
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
  throw attempts.errorOfBody(response, decoded);
}

function infoOf(response: TransportResponse, { progress, rules }: Attempts): ResponseInfo {
  const { key } = rules;
  return { ...response, ...progress, requestId: requestIdOf(response), idempotencyKey: key?.value };
}
