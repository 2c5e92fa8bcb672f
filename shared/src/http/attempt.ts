import { onAbort } from './on-abort.js';
import type { AttemptOutcome } from './retry.js';
import { TransportFailure } from './transport.js';
import type { Transport, TransportRequest, TransportResponse } from './transport.js';

/** What came of one attempt. */
export type Attempt =
  | { readonly response: TransportResponse; readonly failure?: undefined }
  | { readonly response?: undefined; readonly failure: TransportFailure };

/** Sends a request once. An abort ends it at once, also where a host's transport listens to no signal. */
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
    onAbort(signal, () => {
      reject(new TransportFailure('aborted'));
    });
  });
}

/** How an attempt ended, for the rules of {@link shouldRetry}. */
export function outcomeOf({ response, failure }: Attempt): AttemptOutcome {
  if (response !== undefined) return { kind: 'response', status: response.status };
  if (failure.reason === 'timeout' || failure.reason === 'too-large') return { kind: failure.reason };
  if (failure.untrusted) return { kind: 'untrusted' };
  return { kind: 'network', neverSent: failure.neverSent };
}
