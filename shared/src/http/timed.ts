import { TransportFailure } from './transport.js';
import type { TransportRequest } from './transport.js';

/**
 * Does a transport's work under a signal that aborts when the attempt's time is up or the caller aborts. What the work
 * then throws becomes a `TransportFailure` that says which it was.
 */
export async function timed<Result>(
  { signal, timeoutMs }: Pick<TransportRequest, 'signal' | 'timeoutMs'>,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  let ended: TransportFailure | undefined;
  const end = (reason: 'timeout' | 'aborted') => {
    ended ??= new TransportFailure(reason);
    controller.abort();
  };
  const abort = () => end('aborted');
  const timer = setTimeout(end, timeoutMs, 'timeout');
  signal?.addEventListener('abort', abort, { once: true });
  try {
    return await work(controller.signal);
  } catch (error) {
    throw ended ?? error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}
