import { onAbort } from './on-abort.js';
import {
  TransportFailure,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from './transport.js';

/** How one attempt ended: with a response of any status, or without a complete one. */
export type Attempt =
  | { readonly response: TransportResponse; readonly failure?: undefined }
  | { readonly response?: undefined; readonly failure: TransportFailure };

/** Sends a request once. An abort ends it at once, even where a host's transport ignores the signal. */
export async function attempt(transport: Transport, request: TransportRequest): Promise<Attempt> {
  try {
    const sent = transport(request);
    const { signal } = request;
    return { response: await (signal === undefined ? sent : Promise.race([sent, abortOf(signal)])) };
  } catch (error) {
    return { failure: error instanceof TransportFailure ? error : new TransportFailure('network') };
  }
}

function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    onAbort(signal, () => reject(new TransportFailure('aborted')));
  });
}
