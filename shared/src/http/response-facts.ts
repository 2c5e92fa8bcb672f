import type { CallData } from '../errors.js';
import type { PreparedCall } from './prepared-call.js';
import type { ResponseInfo } from './call.js';
import { messageInBody } from './decode.js';
import type { Redactor } from './redact.js';
import type { TransportResponse } from './transport.js';

const SNIPPET_LENGTH = 500;
const SEARCHED_LENGTH = 10_000;
/** The end of the searched text may hold the beginning of a secret. */
const UNSURE_LENGTH = 9_000;
const REQUEST_ID_HEADERS = ['x-request-id', 'request-id', 'x-correlation-id'];

/** What the attempts of one call have in common. */
export interface Progress {
  attempts: number;
  totalRetryDelayMs: number;
}

/** What results and errors tell of a response; every text of it is redacted. */
export class ResponseFacts {
  constructor(
    readonly redact: Redactor,
    private readonly bodySnippets: boolean,
  ) {}

  /** What an error knows of the call that ended in it. */
  ofCall(
    { endpoint, path, action }: PreparedCall,
    known: Progress & Pick<CallData, 'baseUrl' | 'unclear' | 'idempotencyKey' | 'retryAfterMs'>,
    response: TransportResponse | undefined,
  ): CallData {
    return {
      method: endpoint.method,
      operation: endpoint.operationId,
      action,
      path: this.redact(path),
      ...known,
      status: response?.status,
      headers: response && this.#headers(response),
      location: response?.headers['location'] && this.redact(response.headers['location']),
      requestId: response && this.#requestId(response),
      bodySnippet: this.#snippet(this.bodySnippets ? response?.body : undefined),
      serviceMessage: this.#snippet(this.bodySnippets && response ? messageInBody(response.body) : undefined),
    };
  }

  ofResult(
    response: TransportResponse,
    known: Progress & Pick<ResponseInfo, 'idempotencyKey'>,
  ): ResponseInfo {
    return { ...response, requestId: this.#requestId(response), ...known };
  }

  #headers({ headers }: TransportResponse): Record<string, string> {
    const kept = Object.entries(headers).filter(([name]) => name !== 'set-cookie');
    return Object.fromEntries(kept.map(([name, value]) => [name, this.redact(value)]));
  }

  #requestId({ headers }: TransportResponse): string | undefined {
    return this.#snippet(REQUEST_ID_HEADERS.map((name) => headers[name]).find((id) => id !== undefined));
  }

  /** Redacted before it is cut, so that the cut cannot reveal half a secret. */
  #snippet(body: string | undefined): string | undefined {
    if (body === undefined) return undefined;
    const text = this.redact(body.slice(0, SEARCHED_LENGTH));
    const sure =
      body.length > SEARCHED_LENGTH ? text.slice(0, Math.max(0, text.length - UNSURE_LENGTH)) : text;
    return sure.length > SNIPPET_LENGTH || sure !== text ? `${sure.slice(0, SNIPPET_LENGTH)}…` : sure;
  }
}
