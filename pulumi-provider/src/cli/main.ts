#!/usr/bin/env node
import v8 from 'node:v8';
import { nodeProblem } from '../engine/node-version.js';
import { endOf, main } from './check.js';

// A large file needs a quarter less memory with this flag. It is not in the first line, as
// the `env` of Alpine passes no flags on.
v8.setFlagsFromString('--semi-space-growth-factor=1');

async function run(): Promise<number> {
  const problem = nodeProblem('pulumi-audience');
  if (problem === undefined) return main(process.argv.slice(2));
  process.stderr.write(`${problem}\n`);
  return 1;
}

run().then(
  (status) => {
    process.exitCode = status;
  },
  (error: unknown) => {
    const { text, status } = endOf(error);
    process.stderr.write(`${text}\n`);
    process.exitCode = status;
  },
);
