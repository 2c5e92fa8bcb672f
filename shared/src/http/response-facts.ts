import type { CallFacts } from '../errors.js';
import type { PreparedCall } from './prepared-call.js';
import type { ResponseInfo } from './call.js';
import { messageInBody } from './decode.js';
import type { Redactor } from './redact.js';
import type { TransportResponse } from './transport.js';

const SNIPPET_LENGTH = 500;
const SEARCHED_LENGTH = 10_000;
/** The end of the searched text may hold the beginning of a secret, however it is escaped. */
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
    { endpoint, path }: PreparedCall,
    known: Progress & Pick<CallFacts, 'unclear' | 'idempotencyKey' | 'retryAfterMs'>,
    response: TransportResponse | undefined,
  ): CallFacts {
    return {
      method: endpoint.method,
      path: this.redact(path),
      ...known,
      status: response?.status,
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
