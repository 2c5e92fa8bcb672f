import { RejectedError, UnexpectedResponseError, ValidationError } from '../errors.js';
import type * as z from '../zod.js';
import { LightSignal, scopeOf } from './abort.js';
import { Attempts, type AttemptContext } from './attempts.js';
import { callError, createRedactor, requestIdOf, type Redactor } from './call-errors.js';
import type { CallOptions, CallLimits, PaceOptions, WithResponse } from './call.js';
import { checkCallOptions, limitsOf, type PreparedCall } from './call-options.js';
import { decodeResponse } from './decode.js';
import type { IdempotencyKey } from './outcome.js';
import { Pace } from './pace.js';
import { LARGEST_BODY } from './transport.js';

interface PipelineOptions
  extends Omit<AttemptContext, 'pace' | 'stopped' | 'redact'>, PaceOptions, CallLimits {
  readonly userAgent: string;
  readonly secrets?: readonly string[] | undefined;
}

/** The one way that every call goes: idempotency key, turn, attempts with time-outs, retries, decoding. */
export class Pipeline {
  /** Removes the secrets from a text, before it becomes part of an error. */
  readonly redact: Redactor;
  readonly #stopped = new LightSignal();
  readonly #options: PipelineOptions & AttemptContext;

  constructor(options: PipelineOptions) {
    this.redact = createRedactor(options.secrets ?? []);
    const pace = new Pace(options, options.runtime, this.#stopped);
    this.#options = { ...options, pace, stopped: this.#stopped, redact: this.redact };
  }

  /** Carries a call out, and reads the response. `deduplicated`: an earlier request had carried it out. */
  async run<Response extends z.ZodMiniType>(
    call: PreparedCall<Response>,
    given?: CallOptions,
  ): Promise<WithResponse<z.infer<Response>> & { readonly deduplicated: boolean }> {
    const what = `Could not ${call.action}`;
    if (given !== undefined) checkCallOptions(given, what);
    const options = given ?? {};
    const body = call.body === undefined ? undefined : JSON.stringify(call.body);
    if (body !== undefined && body.length > LARGEST_BODY)
      throw new ValidationError(what, [{ path: [], code: 'tooLargeBody' }]);
    const key = this.#keyOf(call, options);
    const scope = options.signal && scopeOf(options.signal);
    const attempts = new Attempts(this.#options, {
      call,
      key,
      limits: limitsOf(options, this.#options),
      request: {
        method: call.endpoint.method,
        url: this.#options.baseUrl + call.path,
        headers: {
          accept: 'application/json',
          'user-agent': this.#options.userAgent,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(key === undefined ? {} : { 'idempotency-key': key.value }),
        },
        body,
        signal: scope?.signal,
      },
    });
    try {
      const response = await attempts.run();
      const isOfUsedKey = response.status >= 300;
      // The body of a refusal does not show what an earlier request did.
      const decoded = decodeResponse(call.endpoint, isOfUsedKey ? '{"success":true}' : response.body);
      if (!decoded.ok) {
        const { code, issue } = decoded;
        const isRejection = code === 'notSuccessful';
        const data = { ...attempts.dataOfBody(response, isRejection), issue };
        throw callError(isRejection ? RejectedError : UnexpectedResponseError, code, data);
      }
      return {
        data: decoded.data,
        // Some services mark a repeated response with this header; the interface does not define it.
        deduplicated: isOfUsedKey || response.headers['idempotent-replayed'] === 'true',
        response: {
          ...response,
          ...attempts.progress,
          requestId: requestIdOf(response),
          idempotencyKey: key?.value,
        },
      };
    } finally {
      scope?.end();
    }
  }

  /** Lets no further request begin. */
  stop(): void {
    this.#stopped.abort();
  }

  /** The key for all attempts of a call: the caller's, or a random one where the endpoint has a key. */
  #keyOf({ endpoint }: PreparedCall, options: CallOptions): IdempotencyKey | undefined {
    if (endpoint.isKeyed !== true) return undefined;
    const { idempotencyKey, earlierRequest = true } = options;
    return idempotencyKey === undefined
      ? { value: this.#options.runtime.randomUUID(), isOwn: false, earlierRequest: false }
      : { value: idempotencyKey, isOwn: true, earlierRequest };
  }
}
