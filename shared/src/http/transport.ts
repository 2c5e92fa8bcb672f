import type { HttpMethod } from '../contract/types.js';

/** One HTTP request without its authentication, which the transport adds. */
export interface TransportRequest {
  readonly method: HttpMethod;
  /** Absolute URL. */
  readonly url: string;
  /** Headers with lower-case names. Never the API key. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body?: string | undefined;
  /** Time for the whole attempt, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** One HTTP response, of any status. */
export interface TransportResponse {
  readonly status: number;
  /** Headers with lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Body as text, empty where there is none. */
  readonly body: string;
}

/**
 * Sends one request and resolves with the response, of any status. It adds
 * `Authorization: Bearer <API_KEY>`, follows no redirect and retries nothing.
 *
 * @throws TransportFailure when there is no complete response.
 */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>;

/** Largest body of a request (in characters) or response (in bytes); the service's own are far smaller. */
export const LARGEST_BODY = 32 * 1024 * 1024;

/** Why there is no complete response. */
export type TransportFailureReason = 'network' | 'timeout' | 'aborted' | 'too-large';

const UNTRUSTED = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ISSUER|EPROTO|ERR_SSL|ERR_TLS/;
const NEVER_SENT = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;

/** There is no complete response to a request. It carries no request, header or foreign error object. */
export class TransportFailure extends Error {
  /** The system's code, such as `ECONNRESET`, where there is one. */
  readonly networkCode: string | undefined;

  constructor(
    readonly reason: TransportFailureReason,
    { networkCode }: { readonly networkCode?: string | undefined } = {},
  ) {
    super(networkCode ?? reason);
    this.name = 'TransportFailure';
    this.networkCode = networkCode;
  }

  /** Whether no trusted connection can be made: its certificate, or TLS itself. No further attempt changes that. */
  get untrusted(): boolean {
    return UNTRUSTED.test(this.networkCode ?? '');
  }

  /** Whether the request certainly never reached the service. */
  get neverSent(): boolean {
    return this.untrusted || NEVER_SENT.test(this.networkCode ?? '');
  }
}

/** The system's code of a failure, such as `ECONNRESET`, in the error or in one of its causes. */
export function networkCodeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { cause, code }: { cause?: unknown; code?: unknown } = error;
  return networkCodeOf(cause) ?? (typeof code === 'string' ? code : undefined);
}
