import { spawn, type ChildProcess } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** File of the Pulumi SDK that a program uses, found from the program's own folder. */
export function sdkFile(programDir: string, file: string): string {
  return createRequire(path.join(programDir, 'package.json')).resolve(`@pulumi/pulumi/${file}`);
}

/** Starts a script of the SDK with the Node that runs this. */
export function startNode(script: string, args: string[], cwd: string, env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, [script, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Hands on each line that is not blank. */
export function onLines(stream: Readable | null, take: (line: string) => void): Promise<void> {
  if (stream === null) return Promise.resolve();
  const lines = createInterface({ input: stream, crlfDelay: Infinity });
  lines.on('line', (line) => {
    if (line.trim() !== '') take(line);
  });
  return new Promise((resolve) => lines.once('close', resolve));
}

/** Exit of a process: its status, or the signal that ended it. */
export function exitOf(child: ChildProcess): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
}
