import type { HttpMethod } from '../types.js';
import { fieldsOf } from '../is-record.js';

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
 * @throws TransportFailure when there is no complete response. Of anything else that it throws the request may have
 *   arrived.
 */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>;

/** Why there is no complete response. */
export type TransportFailureReason = 'network' | 'timeout' | 'aborted';

/** Codes of a certificate that was refused: no request was sent then. */
const REFUSED_CERTIFICATE: readonly unknown[] = [
  ...['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID', 'CERT_REVOKED', 'CERT_REJECTED', 'CERT_UNTRUSTED'],
  ...['CERT_SIGNATURE_FAILURE', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN'],
  ...['UNABLE_TO_GET_ISSUER_CERT', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
  'ERR_TLS_CERT_ALTNAME_INVALID',
];

/** System calls that come before any request. */
const BEFORE_SENDING: readonly unknown[] = ['connect', 'getaddrinfo'];

/**
 * There is no complete response to a request. It carries no request, header or foreign error object. A transport of your
 * own throws it, with `neverSent` only if the request certainly never left.
 */
export class TransportFailure extends Error {
  override readonly name = 'TransportFailure';
  /** The system's code, such as `ECONNRESET`, where there is one. */
  readonly networkCode: string | undefined;
  /** Whether the request certainly never left. `false` unless given. */
  readonly neverSent: boolean;

  constructor(
    readonly reason: TransportFailureReason,
    { networkCode, neverSent = false }: { networkCode?: string | undefined; neverSent?: boolean } = {},
  ) {
    super(networkCode ?? reason);
    this.networkCode = networkCode;
    this.neverSent = neverSent;
  }

  /** Whether the certificate was refused. No further attempt changes that. */
  get untrusted(): boolean {
    return REFUSED_CERTIFICATE.includes(this.networkCode);
  }
}

/**
 * What an error of Node's http says, also inside of errors of axios or a host. The innermost causes decide: the request
 * never left if each of them is of connecting, of looking up the host or of the certificate. A code alone, such as
 * `EHOSTUNREACH`, does not say when it happened.
 */
export function failureOf(error: unknown): TransportFailure {
  if (error instanceof TransportFailure) return error;
  const neverSent = innermost(error)
    .map(fieldsOf)
    .every(({ code, syscall }) => BEFORE_SENDING.includes(syscall) || REFUSED_CERTIFICATE.includes(code));
  return new TransportFailure('network', { networkCode: networkCodeOf(error), neverSent });
}

/**
 * What an error of `fetch`, or of a caller's transport, says. These may repeat a request by themselves, so the last error
 * does not show whether one arrived: only a `TransportFailure` with `neverSent` says that none did.
 */
export function lostRequest(error: unknown): TransportFailure {
  if (error instanceof TransportFailure) return error;
  return new TransportFailure('network', { networkCode: networkCodeOf(error) });
}

function networkCodeOf(error: unknown): string | undefined {
  const codes = [...innermost(error), error].map((cause) => fieldsOf(cause)['code']);
  return codes.find((code): code is string => typeof code === 'string');
}

/** The causes of an error that have none themselves; several where a host has several addresses. */
function innermost(error: unknown): unknown[] {
  const { errors, cause } = fieldsOf(error);
  const inner = Array.isArray(errors) && errors.length > 0 ? errors : cause === undefined ? [] : [cause];
  return inner.length === 0 ? [error] : inner.flatMap(innermost);
}
