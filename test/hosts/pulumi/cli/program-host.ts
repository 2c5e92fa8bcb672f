import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { onLines } from './lines.js';

/** A process that runs programs, one at a time. */
export interface ProgramHost {
  /** Where the CLI finds it (`--client`). */
  readonly address: string;
  readonly process: ChildProcess;
}

const idle: ProgramHost[] = [];

/**
 * Lends a host of programs to a run of the CLI: an idle one, or a new one. It is kept for the next run, unless this one
 * failed: a program that was broken off may go on.
 */
export async function withProgramHost<Result>(
  run: (host: ProgramHost) => Promise<Result>,
  hasFailed: (result: Result) => boolean,
): Promise<Result> {
  const host = idle.pop() ?? (await start());
  const result = await run(host);
  if (hasFailed(result)) host.process.kill();
  else idle.push(host);
  return result;
}

/** Ends those that are kept. */
export function endProgramHosts(): void {
  for (const { process } of idle.splice(0)) process.kill();
}

async function start(): Promise<ProgramHost> {
  const child = spawn(process.execPath, [path.join(__dirname, 'run-programs.cjs')], {
    env: { ...process.env, AUDIENCE_API_KEY: '', AUDIENCE_BASE_URL: '' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const port = await new Promise<string>((resolve) => void onLines(child.stdout, resolve));
  return { address: `127.0.0.1:${port}`, process: child };
}
