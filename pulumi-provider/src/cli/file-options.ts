import { readFile } from 'node:fs/promises';
import { isRecord, parseJsonText } from 'audience-core/internal';
import * as z from 'zod/mini';
import {
  FILE_OPTIONS_EXPECTED,
  fileOptionsShape,
  optionProblem,
} from '../resources/contacts/file/options.js';
import type { FileOptions } from '../resources/contacts/file/options.js';
import { ResourceError } from '../resources/errors.js';

/** Reads the options of a file from JSON, or from a file with JSON. Throws ResourceError where they are wrong. */
export async function readOptions(given: string): Promise<FileOptions> {
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
