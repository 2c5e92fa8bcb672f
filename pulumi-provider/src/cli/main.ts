#!/usr/bin/env node
import { isForPeople } from '../engine/errors.js';
import { check } from './check.js';
import { exportProperties } from './export.js';

const USAGE = `Usage: pulumi-audience COMMAND

  check FILE [--options JSON]  says what a plan would say of a file of contacts, and prints its columns to copy
  export                       writes a Pulumi project with the contact properties of a service

'pulumi-audience COMMAND --help' says more.
`;

const COMMANDS: ReadonlyMap<string, (args: string[]) => Promise<number>> = new Map([
  ['check', check],
  ['export', exportProperties],
]);

async function main([name = '--help', ...args]: string[]): Promise<number> {
  const command = COMMANDS.get(name);
  if (command !== undefined) return command(args);
  if (name === '--help') {
    process.stdout.write(USAGE);
    return 0;
  }
  process.stderr.write(`Unknown command '${name}'.\n\n${USAGE}`);
  return 2;
}

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
