import { spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';

const CLI = join(dirname(require.resolve('audience-sandbox/package.json')), 'dist', 'cli.js');

/** The command `audience-sandbox`, running. */
export interface RunningCommand {
  readonly url: string;
  readonly apiKey: string;
  readonly pid: number;
  /** What it has printed. */
  output(): string;
  /** Sends a signal and waits for the end; gives the exit code, null after a kill. */
  readonly end: (signal: NodeJS.Signals) => Promise<number | null>;
}

/** Starts the built command and waits until it is ready. */
export function startCommand(...args: string[]): Promise<RunningCommand> {
  return ready(spawn(process.execPath, [CLI, '--port', '0', ...args]));
}

/** Waits until the command is ready. */
export async function ready(child: ChildProcessWithoutNullStreams): Promise<RunningCommand> {
  const output = collect(child);
  while (!output().includes('Ctrl-C')) {
    if (child.exitCode !== null) throw new Error(`audience-sandbox ended: ${output()}`);
    await Promise.race([once(child.stdout, 'data'), once(child, 'close')]);
  }
  return {
    url: /AUDIENCE_BASE_URL=(\S+)/.exec(output())?.[1] ?? '',
    apiKey: /AUDIENCE_API_KEY=(\S+)/.exec(output())?.[1] ?? '',
    pid: child.pid ?? Number.NaN,
    output,
    end: async (signal) => {
      const closed = once(child, 'close');
      child.kill(signal);
      await closed;
      return child.exitCode;
    },
  };
}

/** Runs the command to its end, with further environment variables. */
export async function runCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [CLI, ...args], { env: { ...process.env, ...env } });
  const output = collect(child);
  await once(child, 'close');
  return { code: child.exitCode, output: output() };
}

function collect(child: ChildProcess): () => string {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (part: string) => (output += part));
  }
  return () => output;
}
