import { TransportFailure } from 'audience-core/host';
import type {
  Transport,
  TransportFailureReason,
  TransportRequest,
  TransportResponse,
} from 'audience-core/host';
import type {
  ICredentialDataDecryptedObject,
  IExecuteFunctions,
  IHttpRequestOptions,
  ILoadOptionsFunctions,
} from 'n8n-workflow';
import * as z from 'zod';

/** Name of the credential type of this package. */
export const CREDENTIAL = 'audienceApi';

const responseSchema = z.object({
  statusCode: z.number(),
  // An object of axios' own class, whose entries are the headers.
  headers: z.custom<object>((value) => typeof value === 'object' && value !== null),
  body: z.unknown(),
});

/**
 * A transport over n8n's own HTTP helper, which adds the API key and obeys the host's proxy, certificate and
 * network rules.
 *
 * @param credential the decrypted credential, so that n8n need not read and decrypt it for every request.
 */
export function hostTransport(
  context: IExecuteFunctions | ILoadOptionsFunctions,
  credential: ICredentialDataDecryptedObject,
): Transport {
  const decrypted = { id: '', name: '', type: CREDENTIAL, data: credential };
  return async (request) => {
    let response: unknown;
    try {
      response = await context.helpers.httpRequestWithAuthentication.call(
        context,
        CREDENTIAL,
        requestOptions(request),
        { credentialsDecrypted: decrypted },
      );
    } catch (error) {
      throw toFailure(error, request);
    }
    return toResponse(response);
  };
}

function requestOptions(request: TransportRequest): IHttpRequestOptions {
  return {
    method: request.method,
    url: request.url,
    headers: { ...request.headers },
    ...(request.body === undefined ? {} : { body: request.body }),
    timeout: request.timeoutMs,
    encoding: 'text',
    json: false,
    returnFullResponse: true,
    ignoreHttpStatusErrors: true,
    disableFollowRedirect: true,
  };
}

function toResponse(response: unknown): TransportResponse {
  const parsed = responseSchema.safeParse(response);
  if (!parsed.success) throw new TransportFailure('network');
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(parsed.data.headers)) {
    if (typeof value === 'string' || typeof value === 'number') headers[name.toLowerCase()] = String(value);
  }
  return { status: parsed.data.statusCode, headers, body: textOf(parsed.data.body) };
}

function textOf(body: unknown): string {
  if (typeof body === 'string') return body;
  return body === undefined || body === null ? '' : JSON.stringify(body);
}

const TIMEOUT_CODES = ['ECONNABORTED', 'ETIMEDOUT'];

/** n8n wraps what went wrong in errors of its own; the system's code is somewhere in the chain. */
function toFailure(error: unknown, request: TransportRequest): TransportFailure {
  if (request.signal?.aborted === true) return new TransportFailure('aborted');
  const code = networkCode(error, 0);
  let reason: TransportFailureReason = 'network';
  if (code !== undefined && TIMEOUT_CODES.includes(code)) reason = 'timeout';
  if (code === 'ERR_CANCELED') reason = 'aborted';
  return new TransportFailure(reason, { networkCode: code });
}

function networkCode(error: unknown, depth: number): string | undefined {
  if (typeof error !== 'object' || error === null || depth > 4) return undefined;
  const code: unknown = 'code' in error ? error.code : undefined;
  if (typeof code === 'string' && /^E[A-Z_]+$/.test(code)) return code;
  for (const field of ['cause', 'errorResponse', 'error', 'reason'] as const) {
    const found = networkCode(Reflect.get(error, field), depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
