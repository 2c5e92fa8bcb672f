import { ValidationError } from '../errors.js';
import type * as z from '../zod.js';
import { Attempts } from './attempts.js';
import type { AttemptContext, AttemptsEnd } from './attempts.js';
import { withLimits } from './limits.js';
import type { CallOptions, ResponseInfo, WithResponse } from './call.js';
import type { PreparedCall } from './prepared-call.js';
import type { CallLimits } from './limits.js';
import { checkCallOptions } from './call-options.js';
import { decodeResponse } from './decode.js';
import { callLog } from './call-log.js';
import type { Logger } from './call-log.js';
import { errorForRejection, errorForUnreadable } from './error-messages.js';
import { hostWords } from './host-words.js';
import type { HostWords } from './host-words.js';
import { checkHeaders } from './headers.js';
import { chooseIdempotencyKey } from './idempotency.js';
import { Limiter } from './limiter.js';
import type { LimiterOptions } from './limiter.js';
import { onAbort } from './on-abort.js';
import type { Redactor } from './redact.js';
import { ResponseFacts } from './response-facts.js';
import type { Runtime } from './runtime.js';
import { LARGEST_BODY } from './transport.js';
import type { Transport, TransportResponse } from './transport.js';

/** What a pipeline is made of. */
export interface PipelineOptions extends LimiterOptions {
  readonly baseUrl: string;
  readonly transport: Transport;
  readonly runtime: Runtime;
  readonly limits: CallLimits;
  readonly redact: Redactor;
  readonly bodySnippets: boolean;
  readonly userAgent: string;
  readonly logger?: Logger | undefined;
  readonly words?: Partial<HostWords> | undefined;
}

/** What came of a write that is carried out once however often it is tried. */
export interface WriteOutcome {
  /** Whether an earlier attempt had carried it out. */
  readonly deduplicated: boolean;
  /** JSON of the response; absent where only an earlier request was answered. */
  readonly data: unknown;
  readonly response: ResponseInfo;
}

/** The one way that every call goes: idempotency key, turn, attempts with time-outs, retries, decoding. */
export class Pipeline {
  readonly #context: AttemptContext;
  readonly #limits: CallLimits;
  readonly #logger: Logger | undefined;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(options: PipelineOptions) {
    const { baseUrl, transport, runtime } = options;
    this.#limits = options.limits;
    this.#logger = options.logger;
    this.#headers = { accept: 'application/json', 'user-agent': options.userAgent };
    this.#context = {
      baseUrl,
      transport,
      runtime,
      limiter: new Limiter(options, runtime),
      facts: new ResponseFacts(options.redact, options.bodySnippets),
      words: hostWords(options.words),
    };
  }

  /** Takes the secrets out of a text, before it becomes part of an error. */
  redact(text: string): string {
    return this.#context.facts.redact(text);
  }

  /**
   * Carries out a read, or a write that may be repeated as it is.
   *
   * @throws AudienceError one of its subclasses, by what went wrong.
   */
  async run<Response extends z.ZodMiniType>(
    call: PreparedCall<Response>,
    options: CallOptions = {},
  ): Promise<WithResponse<z.infer<Response>>> {
    return this.#carryOut(call, options, (end, attempts) => ({
      data: this.#decode(call, end.response, attempts),
      response: this.#info(end, attempts),
    }));
  }

  /**
   * Carries out a write that must happen once, however often it is tried.
   *
   * @throws AudienceError one of its subclasses, by what went wrong.
   */
  async write(call: PreparedCall, options: CallOptions = {}): Promise<WriteOutcome> {
    return this.#carryOut(call, options, (end, attempts) => {
      return {
        data: end.deduplicated ? undefined : this.#decode(call, end.response, attempts),
        deduplicated: end.deduplicated || isReplay(end.response),
        response: this.#info(end, attempts),
      };
    });
  }

  /** Time in milliseconds. */
  now(): number {
    return this.#context.runtime.now();
  }

  /** Milliseconds left to the deadline of a call that began at a time. */
  leftMs(begunAt: number, options: CallOptions = {}): number {
    return begunAt + withLimits(options, this.#limits).deadlineMs - this.now();
  }

  /** Lets no further request begin. */
  stop(): void {
    this.#context.limiter.close();
  }

  async #carryOut<Result>(
    call: PreparedCall,
    options: CallOptions,
    conclude: (end: AttemptsEnd, attempts: Attempts) => Result,
  ): Promise<Result> {
    checkCallOptions(options, `Could not ${call.action}`);
    const { runtime, baseUrl } = this.#context;
    const { endpoint } = call;
    const body = call.body === undefined ? undefined : JSON.stringify(call.body);
    if (body !== undefined && body.length > LARGEST_BODY) {
      throw new ValidationError(`Could not ${call.action}`, [
        { path: [], message: 'its body is larger than 32 MiB' },
      ]);
    }
    const key = chooseIdempotencyKey(endpoint.repeatability, options, runtime);
    const scope = scopeOf(options.signal);
    const attempts = new Attempts(this.#context, {
      call,
      key,
      signal: options.signal,
      limits: withLimits(options, this.#limits),
      log: callLog(this.#logger, endpoint.operationId, runtime),
      request: {
        method: endpoint.method,
        url: baseUrl + call.path,
        headers: {
          ...this.#headers,
          ...(options.headers === undefined ? {} : checkHeaders(options.headers)),
          ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(key === undefined ? {} : { 'idempotency-key': key.value }),
        },
        ...(body === undefined ? {} : { body }),
        ...(scope === undefined ? {} : { signal: scope.signal }),
      },
    });
    try {
      return conclude(await attempts.run(), attempts);
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
    const context = attempts.errorContext(response, decoded.rejected);
    if (decoded.rejected) throw errorForRejection(context);
    throw errorForUnreadable(context, decoded.problem);
  }

  #info({ response }: AttemptsEnd, attempts: Attempts): ResponseInfo {
    const { progress, settings } = attempts;
    const idempotencyKey = settings.key?.value;
    return this.#context.facts.ofResult(response, { ...progress, idempotencyKey });
  }
}

/** Whether the service says that it gives the response to an earlier request again; the interface leaves it open. */
function isReplay({ headers }: TransportResponse): boolean {
  return headers['idempotent-replayed'] === 'true';
}

/** The caller's signal for one call: what waits in the call listens to this one. */
function scopeOf(signal: AbortSignal | undefined): { signal: AbortSignal; end: () => void } | undefined {
  if (signal === undefined) return undefined;
  const controller = new AbortController();
  const end = onAbort(signal, () => controller.abort(signal.reason));
  return { signal: controller.signal, end };
}
