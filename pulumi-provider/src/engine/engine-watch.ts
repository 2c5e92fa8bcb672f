import { connect } from 'node:net';

/** Wait after a connection that was closed at once, in milliseconds. */
const CLOSED_MS = 20;

/** Wait after another failure, such as too many open files, in milliseconds. */
const FAILED_MS = 1_000;

/** Errors of a connection when the engine is gone. */
const GONE: readonly (string | undefined)[] = ['ECONNREFUSED', 'ECONNRESET'];

/**
 * Ends this process when its engine is gone: a provider that outlives a killed engine would write beside the next run.
 *
 * @param engineAddress host and port; anything else is not watched.
 */
export function endWithEngine(engineAddress: string): void {
  const [, host, port] = /^\[?([^\]]+)\]?:(\d{1,5})$/.exec(engineAddress) ?? [];
  if (host === undefined || Number(port) > 65_535) return;
  const watch = (): void => {
    const begun = Date.now();
    const socket = connect(Number(port), host);
    // The socket must not keep the process alive, and notices the end only while it reads.
    socket.unref().resume();
    socket.once('error', ({ code }: NodeJS.ErrnoException) => {
      if (GONE.includes(code)) process.exit(0);
    });
    // A living engine closes idle connections too: the next one shows whether it is gone.
    socket.once('close', (hadError) => {
      const wasClosedAtOnce = Date.now() - begun < CLOSED_MS;
      setTimeout(watch, hadError ? FAILED_MS : wasClosedAtOnce ? CLOSED_MS : 0).unref();
    });
  };
  watch();
}
