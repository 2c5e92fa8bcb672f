#!/usr/bin/env node
import v8 from 'node:v8';
import { endOf, main } from './check.js';

// A file of a million rows needs a seventh less memory with this flag. It is not in the first line, as
// the `env` of Alpine passes no flags on.
v8.setFlagsFromString('--semi-space-growth-factor=1');

const OLDEST_NODE = 22;

async function run(): Promise<number> {
  const { node } = process.versions;
  if (Number.parseInt(node, 10) >= OLDEST_NODE) return main(process.argv.slice(2));
  process.stderr.write(`pulumi-audience needs Node ${OLDEST_NODE} or newer; this is ${node}.\n`);
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
