#!/usr/bin/env node
import v8 from 'node:v8';
import { isForPeople } from '../engine/calls.js';
import { main } from './check.js';

// A file of a million rows needs a seventh less memory with this flag. It is not in the first line, as
// the `env` of Alpine passes no flags on.
v8.setFlagsFromString('--semi-space-growth-factor=1');

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
