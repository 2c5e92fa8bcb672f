import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { described, expectRight, KNOWN, pasted, readFile } from '../../testing/read-file.js';
import type { KnownNames } from '../resources/known-service.js';
import { inputsSchema } from '../resources/contacts/inputs.js';

/** What a service of somebody who exports lists may have: it lists the fields of every contact, too. */
const SERVICE: KnownNames = {
  ...KNOWN,
  types: new Map([
    ...KNOWN.types,
    ['company', 'string'],
    ['country', 'string'],
    ['createdAt', 'date'],
    ['email', 'string'],
    ['firstName', 'string'],
    ['subscribed', 'boolean'],
  ] as const),
};

/** Exports of programs, by their real headers. People are invented; one of the first two often wants no mail. */
const exportSchema = z.object({
  program: z.string(),
  /** What a person has to do: nothing, paste the printed text once, write options, or edit the file. */
  outcome: z.enum(['as it is', 'paste', 'by hand', 'refused']),
  options: z.optional(inputsSchema),
  /** The declared rows; `!` is somebody who wants no mail. */
  rows: z.array(z.string()),
  file: z.string(),
});

/** `# program | outcome | options`, lines `> row`, then the file. */
const EXPORTS = readFileSync(path.join(__dirname, 'exports.test-data.txt'), 'utf8')
  .split(/^# /m)
  .slice(1)
  .map((text) => {
    const [head = '', ...lines] = text.trimEnd().split('\n');
    const [program, outcome, options] = head.split(' | ');
    const rows = lines.filter((line) => line.startsWith('> ')).map((line) => line.slice(2));
    const file = lines
      .filter((line) => !line.startsWith('> '))
      .join('\n')
      .replaceAll('\\t', '\t');
    const given: unknown = options === undefined ? undefined : JSON.parse(options);
    return exportSchema.parse({ program, outcome, options: given, rows, file: `${file}\n` });
  });

test.each(EXPORTS)('$program: $outcome', async ({ outcome, options = {}, rows, file }) => {
  const first = await readFile(file, {}, SERVICE);
  if (outcome === 'as it is') {
    expect(first.rows.map(described)).toEqual(rows);
    return;
  }
  expect(first.problems).not.toEqual([]);
  const printed = pasted(first.error);
  if (printed !== undefined) expectRight(printed, first);
  const used = outcome === 'paste' ? printed : { ...printed, ...options };
  const again = await readFile(file, used, SERVICE);
  const read = again.rows.map(described);
  if (outcome === 'refused') expect(again.problems).not.toEqual([]);
  else expect({ read, error: again.error }).toEqual({ read: rows, error: '' });
});

test('most programs need no more than one paste', () => {
  const programs = new Set(EXPORTS.map(({ program }) => program.replace(/,.*/, '')));
  const easy = EXPORTS.filter(({ outcome }) => outcome === 'as it is' || outcome === 'paste');
  const hard = EXPORTS.filter((one) => !easy.includes(one)).map(({ program }) => program.replace(/,.*/, ''));
  expect(programs.size).toBeGreaterThanOrEqual(40);
  expect([...programs].filter((program) => !hard.includes(program)).length).toBeGreaterThanOrEqual(35);
});
