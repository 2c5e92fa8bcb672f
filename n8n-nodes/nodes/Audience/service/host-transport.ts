import {
  failureOf,
  isRecord,
  TransportFailure,
  type Transport,
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
 * network rules. It is given the decrypted credential, so that n8n need not decrypt it for every request.
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
  return transportOver((request): Promise<unknown> =>
    helpers.request({
      method: request.method,
      uri: request.url,
      headers: { ...request.headers, authorization: `Bearer ${apiKey}` },
      timeout: request.timeoutMs,
      followRedirect: false,
      json: false,
      simple: false,
      resolveWithFullResponse: true,
    }),
  );
}

function transportOver(send: (request: TransportRequest) => Promise<unknown>): Transport {
  return (request) =>
    send(request).then(toResponse, (error: unknown) => {
      throw toFailure(error, request);
    });
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
  return { status: response['statusCode'], headers, body: textOf(response['body']) };
}

function textOf(body: unknown): string {
  if (typeof body === 'string') return body;
  return body === undefined || body === null ? '' : JSON.stringify(body);
}

const TIMEOUT_CODES = ['ECONNABORTED', 'ETIMEDOUT', 'ESOCKETTIMEDOUT'];

/** n8n wraps the system's error in errors of axios and of its own. */
function toFailure(error: unknown, request: TransportRequest): TransportFailure {
  if (request.signal?.aborted === true) return new TransportFailure('aborted');
  const failure = failureOf(error);
  const { networkCode = '', neverSent } = failure;
  if (neverSent) return failure;
  if (networkCode === 'ERR_CANCELED') return new TransportFailure('aborted');
  return TIMEOUT_CODES.includes(networkCode) ? new TransportFailure('timeout', { networkCode }) : failure;
}
