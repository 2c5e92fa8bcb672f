import { startTimer, stopTimer } from './runtime.js';
import { TransportFailure, type TransportRequest } from './transport.js';

/** What a transport's request can be ended by: an `AbortController`, or a `LightSignal`. */
interface Stoppable {
  abort(): void;
}

/** Does work that is stopped at the time limit or with the caller. A `TransportFailure` says which. */
export async function timed<Result>(
  { signal, timeoutMs }: Pick<TransportRequest, 'signal' | 'timeoutMs'>,
  request: Stoppable,
  work: () => Promise<Result>,
): Promise<Result> {
  let ended: TransportFailure | undefined;
  const end = (reason: 'timeout' | 'aborted') => {
    ended ??= new TransportFailure(reason);
    request.abort();
  };
  const abort = () => end('aborted');
  const timer = startTimer(end, timeoutMs, 'timeout');
  signal?.addEventListener('abort', abort, { once: true });
  try {
    return await work();
  } catch (error) {
    throw ended ?? error;
  } finally {
    stopTimer(timer);
    signal?.removeEventListener('abort', abort);
  }
}
