import {
  isRecord,
  LARGEST_BODY,
  TransportFailure,
  type Transport,
  type TransportFailureReason,
  type TransportRequest,
  type TransportResponse,
} from 'audience-core/internal';
import type {
  ICredentialDataDecryptedObject,
  ICredentialTestFunctions,
  IExecuteFunctions,
  IHttpRequestOptions,
  ILoadOptionsFunctions,
} from 'n8n-workflow';

export const CREDENTIAL = 'audienceApi';

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
  return transportOver((request) =>
    context.helpers.httpRequestWithAuthentication.call(context, CREDENTIAL, requestOptions(request), {
      credentialsDecrypted: decrypted,
    }),
  );
}

/** The same for the test of a credential, to which n8n gives its older helper only. */
export function credentialTestTransport({ helpers }: ICredentialTestFunctions, apiKey: string): Transport {
  return transportOver(async (request) => {
    const response: unknown = await helpers.request({
      method: request.method,
      uri: request.url,
      headers: { ...request.headers, authorization: `Bearer ${apiKey}` },
      timeout: request.timeoutMs,
      followRedirect: false,
      json: false,
      simple: false,
      resolveWithFullResponse: true,
    });
    return response;
  });
}

function transportOver(send: (request: TransportRequest) => Promise<unknown>): Transport {
  return async (request) => {
    let response: unknown;
    try {
      response = await send(request);
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
    ...(request.signal === undefined ? {} : { abortSignal: request.signal }),
    timeout: request.timeoutMs,
    encoding: 'text',
    json: false,
    returnFullResponse: true,
    ignoreHttpStatusErrors: true,
    disableFollowRedirect: true,
  };
}

function toResponse(response: unknown): TransportResponse {
  if (!isRecord(response) || typeof response['statusCode'] !== 'number')
    throw new TransportFailure('network');
  const headers: Record<string, string> = {};
  // Of axios' own class, whose entries are the headers.
  const given = response['headers'];
  for (const [name, value] of Object.entries(isRecord(given) ? given : {})) {
    if (typeof value === 'string' || typeof value === 'number') headers[name.toLowerCase()] = String(value);
  }
  const body = textOf(response['body']);
  if (body.length > LARGEST_BODY) throw new TransportFailure('too-large');
  return { status: response['statusCode'], headers, body };
}

function textOf(body: unknown): string {
  if (typeof body === 'string') return body;
  return body === undefined || body === null ? '' : JSON.stringify(body);
}

const TIMEOUT_CODES = ['ECONNABORTED', 'ETIMEDOUT', 'ESOCKETTIMEDOUT'];

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
  if (typeof code === 'string' && /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(code)) return code;
  for (const field of ['cause', 'errorResponse', 'error', 'reason'] as const) {
    const found = networkCode(Reflect.get(error, field), depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
