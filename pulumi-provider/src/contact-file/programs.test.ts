import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isRecord } from 'audience-core/internal';
import * as z from 'zod/mini';
import { copied, described, KNOWN, readFile, type Read } from '../../testing/read-file.js';
import type { KnownNames } from '../resources/known-service.js';
import { inputProblem, inputsSchema, type Inputs } from '../resources/contacts/inputs.js';

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
const EVENT: Inputs = { createWithEvent: { eventName: 'joined' } };
const MOST_ROUNDS = 2;

/** What a person knows of a list: who wants mail, and which column is the email where no header says it. */
const sheetSchema = z.object({
  consent: z.union([z.enum(['mail', 'no mail']), z.record(z.string(), z.record(z.string(), z.string()))]),
  columns: z._default(z.record(z.string(), z.string()), {}),
  refused: z._default(z.boolean(), false),
});
type Sheet = z.infer<typeof sheetSchema>;

interface Export {
  readonly program: string;
  readonly sheet: Sheet;
  /** The declared rows; `!` is somebody who wants no mail. */
  readonly rows: readonly string[];
  readonly file: string;
}

/** Exports of programs, by their real headers; people are invented. `# program | sheet`, `> row`, then the file. */
const EXPORTS = readFileSync(path.join(__dirname, 'exports.test-data.txt'), 'utf8')
  .split(/^# /m)
  .slice(1)
  .map((text): Export => {
    const [head = '', ...lines] = text.trimEnd().split('\n');
    const [program = '', sheet = ''] = head.split(' | ');
    const rows = lines.filter((line) => line.startsWith('> ')).map((line) => line.slice(2));
    const file = lines.filter((line) => !line.startsWith('> ')).join('\n');
    return { program, sheet: sheetSchema.parse(JSON.parse(sheet)), rows, file: `${file}\n` };
  });

/** Replaces each blank of the inputs to copy by what the sheet says, and nothing else. */
function answered(printed: Readonly<Record<string, unknown>>, { consent, columns }: Sheet): Inputs {
  const { file: _, ...inputs } = printed;
  const fields = isRecord(inputs['columns']) ? inputs['columns'] : undefined;
  const mapped =
    fields &&
    Object.entries(fields).map(([name, field]) => [name, field === '?' ? (columns[name] ?? '') : field]);
  const asked = inputs['consent'];
  const said = typeof consent === 'object' ? consent : {};
  const texts = Object.entries(isRecord(asked) ? asked : {}).filter(([header]) => header in said);
  const answers = texts.map(([header, blanks]) => {
    const all = Object.keys(isRecord(blanks) ? blanks : {});
    return [header, Object.fromEntries(all.map((text) => [text, said[header]?.[text]]))];
  });
  const changed: Readonly<Record<string, unknown>> = {
    ...inputs,
    ...(mapped && { columns: Object.fromEntries(mapped) }),
    ...(asked !== undefined && {
      consent: typeof consent === 'string' ? consent : Object.fromEntries(answers),
    }),
  };
  expect(inputProblem({ file: 'people', ...changed })).toBeUndefined();
  return inputsSchema.parse(changed);
}

/** Follows the messages until the list is read, or no message has inputs to copy. */
async function follow({ file, sheet }: Export): Promise<{ read: Read; rounds: number; options: Inputs }> {
  let [options, rounds] = [EVENT, 0];
  for (;;) {
    const read = await readFile(file, options, SERVICE);
    const printed = copied(read.error);
    if (printed === undefined || rounds > MOST_ROUNDS) return { read, rounds, options };
    options = { ...EVENT, ...answered(printed, sheet) };
    rounds += 1;
  }
}

test.each(EXPORTS)(
  '$program: by the messages and what a person knows, each gets what they want',
  async (one) => {
    const { read, rounds, options } = await follow(one);
    if (one.sheet.refused) {
      expect(read.problems).not.toEqual([]);
      return;
    }
    expect({ rows: read.rows.map(described), error: read.error }).toEqual({ rows: one.rows, error: '' });
    expect(rounds).toBeLessThanOrEqual(MOST_ROUNDS);
    // Each text was new once: without its answer the list is refused, and the message says where.
    const consent = typeof options.consent === 'object' ? options.consent : {};
    for (const [header, answers] of Object.entries(consent))
      for (const text of Object.keys(answers)) {
        const { [text]: _, ...others } = answers;
        const without = { ...options, consent: { ...consent, [header]: others } };
        const { problems } = await readFile(one.file, without, SERVICE);
        expect(problems.join()).toContain(`consent.unanswered ${header} ${JSON.stringify(text)}:`);
      }
  },
);

test('the sheet has many programs, and most have people who want no mail', () => {
  expect(EXPORTS.length).toBeGreaterThanOrEqual(60);
  const noMail = EXPORTS.filter(({ rows }) => rows.some((row) => row.startsWith('!')));
  expect(noMail.length).toBeGreaterThanOrEqual(40);
});
