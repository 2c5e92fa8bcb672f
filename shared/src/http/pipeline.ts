import { ValidationError } from '../errors.js';
import type * as z from '../zod.js';
import { Attempts, type AttemptContext } from './attempts.js';
import { checkCallOptions, checkHeaders, withLimits } from './call-options.js';
import type { CallLimits, CallOptions, ResponseInfo, WithResponse } from './call.js';
import type { OnAttempt } from './on-attempt.js';
import { decodeResponse } from './decode.js';
import { errorForBody } from './call-errors.js';
import { chooseIdempotencyKey } from './idempotency.js';
import { Limiter, type LimiterOptions } from './limiter.js';
import { onAbort } from './on-abort.js';
import type { PreparedCall } from './prepared-call.js';
import type { Redactor } from './redact.js';
import { ResponseFacts } from './response-facts.js';
import type { Runtime } from './runtime.js';
import { LARGEST_BODY, type Transport, type TransportResponse } from './transport.js';

export interface PipelineOptions extends LimiterOptions {
  readonly baseUrl: string;
  readonly transport: Transport;
  readonly runtime: Runtime;
  readonly limits: CallLimits;
  readonly redact: Redactor;
  readonly bodySnippets: boolean;
  readonly userAgent: string;
  readonly usedKeyStatus?: number | undefined;
  readonly onAttempt?: OnAttempt | undefined;
}

/** The one way that every call goes: idempotency key, turn, attempts with time-outs, retries, decoding. */
export class Pipeline {
  readonly #context: AttemptContext;
  readonly #options: PipelineOptions;

  constructor(options: PipelineOptions) {
    const { baseUrl, transport, runtime } = options;
    this.#options = options;
    this.#context = {
      baseUrl,
      transport,
      runtime,
      limiter: new Limiter(options, runtime),
      facts: new ResponseFacts(options.redact, options.bodySnippets),
      usedKeyStatus: options.usedKeyStatus,
      onAttempt: options.onAttempt,
    };
  }

  /** Removes the secrets from a text, before it becomes part of an error. */
  redact(text: string): string {
    return this.#options.redact(text);
  }

  /** Carries out a read, or a write that may be repeated as it is. */
  async run<Response extends z.ZodMiniType>(
    call: PreparedCall<Response>,
    options?: CallOptions,
  ): Promise<WithResponse<z.infer<Response>>> {
    const { attempts, response } = await this.#carryOut(call, options);
    return { data: this.#decode(call, response, attempts), response: this.#info(response, attempts) };
  }

  /** Carries out a write once. `data` is `undefined` where an earlier request had the response. */
  async write(
    call: PreparedCall,
    options?: CallOptions,
  ): Promise<WithResponse<unknown> & { readonly deduplicated: boolean }> {
    const { attempts, response, deduplicated } = await this.#carryOut(call, options);
    return {
      data: deduplicated ? undefined : this.#decode(call, response, attempts),
      // Some services mark a repeated response with this header; the interface does not define it.
      deduplicated: deduplicated || response.headers['idempotent-replayed'] === 'true',
      response: this.#info(response, attempts),
    };
  }

  stop(): void {
    this.#context.limiter.close();
  }

  async #carryOut(call: PreparedCall, options: CallOptions = {}) {
    const what = `Could not ${call.action}`;
    checkCallOptions(options, what);
    const { baseUrl, runtime, userAgent, limits } = this.#options;
    const { endpoint } = call;
    const body = call.body === undefined ? undefined : JSON.stringify(call.body);
    if (body !== undefined && body.length > LARGEST_BODY)
      throw new ValidationError(what, [{ path: [], code: 'tooLargeBody' }]);
    const key = chooseIdempotencyKey(endpoint.repeatability, options, runtime);
    const headers = {
      accept: 'application/json',
      'user-agent': userAgent,
      ...(options.headers === undefined ? {} : checkHeaders(options.headers)),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { 'idempotency-key': key.value }),
    };
    const scope = scopeOf(options.signal);
    const attempts = new Attempts(this.#context, {
      call,
      key,
      limits: withLimits(options, limits),
      request: {
        method: endpoint.method,
        url: baseUrl + call.path,
        headers,
        ...(body === undefined ? {} : { body }),
        ...(scope === undefined ? {} : { signal: scope.signal }),
      },
    });
    try {
      return { ...(await attempts.run()), attempts };
    } finally {
      scope?.end();
    }
  }

  #decode<Response extends z.ZodMiniType>(
    call: PreparedCall<Response>,
    response: TransportResponse,
    attempts: Attempts,
  ): z.infer<Response> {
    const decoded = decodeResponse(call.endpoint, response);
    if (decoded.ok) return decoded.data;
    const { reason, issue } = decoded;
    const data = attempts.dataOfBody(response, reason === 'notSuccessful');
    throw errorForBody(reason, { ...data, issue });
  }

  #info(response: TransportResponse, { progress, settings }: Attempts): ResponseInfo {
    const idempotencyKey = settings.key?.value;
    return this.#context.facts.ofResult(response, { ...progress, idempotencyKey });
  }
}

/** The caller's signal for one call: what waits in the call listens to this one. */
function scopeOf(signal: AbortSignal | undefined): { signal: AbortSignal; end: () => void } | undefined {
  if (signal === undefined) return undefined;
  const controller = new AbortController();
  const end = onAbort(signal, () => controller.abort(signal.reason));
  return { signal: controller.signal, end };
}
