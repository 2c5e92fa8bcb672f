import { connect } from 'node:net';

/** How long after a connection that was closed at once the next one is tried, in milliseconds. */
const AGAIN_MS = 20;

/** The same where it failed for a reason that says nothing of the engine, such as too many open files. */
const LATER_MS = 1_000;

/** What a connection ends in where nobody listens any more. */
const GONE: readonly (string | undefined)[] = ['ECONNREFUSED', 'ECONNRESET'];

/**
 * Ends this process when its engine is gone. An engine that was killed tells nobody, and a provider that goes on without
 * it would write beside the next run.
 *
 * @param engineAddress host and port that the engine gave this process; anything else is watched by nobody.
 */
export function endWithEngine(engineAddress: string): void {
  const [, host, port] = /^\[?([^\]]+)\]?:(\d{1,5})$/.exec(engineAddress) ?? [];
  if (host === undefined || Number(port) > 65_535) return;
  const watch = (): void => {
    const begun = Date.now();
    const socket = connect(Number(port), host);
    // It keeps no process alive that has nothing else to do, and hears of the end only where it reads.
    socket.unref().resume();
    socket.once('error', ({ code }: NodeJS.ErrnoException) => {
      if (GONE.includes(code)) process.exit(0);
    });
    // An engine closes a connection on which nothing is said. Whether it lives is known from the next one, before which
    // this process may write on.
    socket.once('close', (hadError) => {
      const wasClosedAtOnce = Date.now() - begun < AGAIN_MS;
      setTimeout(watch, hadError ? LATER_MS : wasClosedAtOnce ? AGAIN_MS : 0).unref();
    });
  };
  watch();
}
