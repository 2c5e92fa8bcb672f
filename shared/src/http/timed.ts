import { TransportFailure, type TransportRequest } from './transport.js';

/** Does work under a signal that aborts at the time limit or with the caller. A `TransportFailure` says which. */
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
