import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { DemoFailure, runDemo } from './demo.js';

const USAGE = `npm run demo               runs the whole product on this machine, and leaves nothing behind
npm run demo -- --keep DIR leaves the Pulumi program, its state and all logs in DIR, to look at
`;

/** Where the demo works: a folder the person named, or one that goes when the demo ends. */
function workFolder(keep: string | undefined): string {
  if (keep === undefined) return mkdtempSync(join(tmpdir(), 'audience-demo-'));
  const folder = resolve(keep);
  mkdirSync(folder, { recursive: true });
  if (readdirSync(folder).length > 0) {
    throw new DemoFailure(
      `The folder ${folder} is not empty. Name an empty one, or one that does not exist yet.`,
    );
  }
  return folder;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { keep: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help === true) {
    process.stdout.write(USAGE);
    return 0;
  }
  const folder = workFolder(values.keep);
  try {
    await runDemo({ folder, kept: values.keep !== undefined, stayUp: process.stdout.isTTY });
    return 0;
  } finally {
    if (values.keep === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

main().then(
  (status) => process.exit(status),
  (error: unknown) => {
    const isForPeople = error instanceof DemoFailure || (error instanceof Error && 'code' in error);
    const text = isForPeople
      ? error.message
      : error instanceof Error
        ? (error.stack ?? error.message)
        : String(error);
    process.stderr.write(`\nThe demo stopped. ${text}\n`);
    process.exit(1);
  },
);
