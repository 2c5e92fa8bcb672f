import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import type { SharedClaims } from '../resources/host.js';

/** A run of Pulumi does not last longer: a file of an older one is in nobody's use. */
const OLDEST_MS = 24 * 60 * 60 * 1000;

/**
 * Whom the other provider processes of a run declare. Each provider of a program is a process of its own, and so is
 * that of an older version: the one that deletes a resource may not be the one that has seen the program declare the
 * same person elsewhere. They meet in a file that is named by the address of their engine; it holds hashes only.
 *
 * @param engineAddress host and port that the engine gave this process.
 * @param account tells the service whose people they are: its address.
 */
export function claimsOfRun(engineAddress: string, account: string): SharedClaims | undefined {
  const port = /:(\d+)$/.exec(engineAddress)?.[1];
  if (port === undefined) return undefined;
  const folder = path.join(tmpdir(), `pulumi-audience-${userInfo().username}`);
  const file = path.join(folder, `${port}.claims`);
  const own = `${process.pid} `;
  const service = sameMachine(account);
  // A list may move to another account, a person is one of theirs.
  const hashOf = (key: string): string =>
    createHash('sha256')
      .update(key.startsWith('list ') ? key : `${service}\n${key}`)
      .digest('base64url')
      .slice(0, 22);
  // A port comes again: what processes of an earlier run have claimed is nothing to this one. One that ends in this
  // run has claimed what it has claimed.
  const found = linesOf(file);
  const ended = new Set([...new Set(found.map(pidOf))].filter((pid) => !isRunning(pid)));
  let known = { written: 0, others: new Set<string>() };
  /** What the others have written, read again when the file has changed. */
  const others = (): ReadonlySet<string> => {
    const written = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    if (written !== known.written) {
      const lines = linesOf(file).filter(
        (line, index) => !line.startsWith(own) && !(index < found.length && ended.has(pidOf(line))),
      );
      known = { written, others: new Set(lines.map((line) => line.split(' ')[1] ?? '')) };
    }
    return known.others;
  };
  forgetOld(folder);
  let opened: number | undefined;
  const open = (): number => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return openSync(file, 'a', 0o600);
  };
  return {
    // Written at once, before anybody is told that the check is done; opened once, as a list has thousands.
    add(keys) {
      try {
        opened ??= open();
        appendFileSync(opened, keys.map((key) => `${own}${hashOf(key)}\n`).join(''));
      } catch {
        // A machine that lets nobody write there has no run with several processes that know of each other.
      }
    },
    has(keys) {
      return keys.some((key) => others().has(hashOf(key)));
    },
  };
}

function pidOf(line: string): string {
  return line.slice(0, line.indexOf(' '));
}

function isRunning(pid: string): boolean {
  if (!/^[1-9]\d*$/.test(pid)) return false;
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    // It runs, and is somebody else's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}

function forgetOld(folder: string): void {
  try {
    for (const name of readdirSync(folder)) {
      const file = path.join(folder, name);
      if (Date.now() - statSync(file).mtimeMs > OLDEST_MS) rmSync(file, { force: true });
    }
  } catch {
    // Another process has been at it.
  }
}

/** An address of this machine has several names. */
function sameMachine(address: string): string {
  return address.replace(/\/\/(localhost|\[::1\])(?=[:/]|$)/, '//127.0.0.1');
}
