#!/usr/bin/env node
import v8 from 'node:v8';
import { isForPeople } from '../engine/calls.js';
import { main } from './check.js';

// A file of a million rows needs 275 MB with these flags and 375 without, in the same time. They are not in the first
// line, as the `env` of Alpine passes no flags on.
for (const flag of ['--optimize-for-size', '--semi-space-growth-factor=1']) v8.setFlagsFromString(flag);

main(process.argv.slice(2)).then(
  (status) => {
    process.exitCode = status;
  },
  (error: unknown) => {
    const isUsage = error instanceof TypeError && 'code' in error;
    if (!isUsage && !isForPeople(error)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = isUsage ? 2 : 1;
  },
);
