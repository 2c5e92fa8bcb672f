import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { isRecord, parseJsonText } from 'audience-core/internal';
import * as z from 'zod/mini';
import {
  FILE_OPTIONS_EXPECTED,
  fileOptionsShape,
  optionProblem,
} from '../resources/contacts/file/options.js';
import type { FileOptions } from '../resources/contacts/file/options.js';
import { ResourceError } from '../resources/errors.js';

const OPTIONS = `
  --options JSON  inputs of Contacts that say how to read a file, such as '{"encoding": "windows-1252"}', or a file with
                  them: ${Object.keys(FILE_OPTIONS_EXPECTED).join(', ')}
  --rejects OUT   writes the invalid rows to a CSV file, with a column for the reason
`;

/** Runs a command on a file, or prints its usage. Resolves to the exit status. */
export async function onFile(
  args: string[],
  usage: string,
  command: (file: string, options: FileOptions, rejects: string | undefined) => Promise<void>,
): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      options: { type: 'string', default: '{}' },
      rejects: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const [file] = positionals;
  if (values.help || file === undefined || positionals.length > 1) {
    process.stdout.write(usage + OPTIONS);
    return values.help ? 0 : 2;
  }
  await command(file, await readOptions(values.options), values.rejects);
  return 0;
}

async function readOptions(given: string): Promise<FileOptions> {
  const text = given.trimStart().startsWith('{')
    ? given
    : await readFile(given, 'utf8').catch(() => undefined);
  const value = text === undefined ? undefined : parseJsonText(text).value;
  if (!isRecord(value)) {
    throw new ResourceError(
      `--options: '${given}' is neither JSON nor a file with it. Write {"encoding": "utf-8"}.`,
    );
  }
  const parsed = z.strictObject(fileOptionsShape).safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const name = String(issue?.path[0] ?? (issue?.code === 'unrecognized_keys' ? issue.keys[0] : ''));
    const known = Object.entries(FILE_OPTIONS_EXPECTED).find(([one]) => one === name);
    throw new ResourceError(
      known === undefined
        ? `--options: unknown option '${name}'. The options are ${Object.keys(FILE_OPTIONS_EXPECTED).join(', ')}.`
        : `--options: ${name} must be ${known[1]}.`,
    );
  }
  const problem = optionProblem(parsed.data);
  if (problem !== undefined) throw new ResourceError(`--options: ${problem}.`);
  return parsed.data;
}
