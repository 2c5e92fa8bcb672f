import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isRecord } from 'audience-core/internal';
import * as z from 'zod/mini';
import { FakeEngine, type Declared } from '../../testing/fake-engine.js';
import { FakeService } from '../../testing/fake-service.js';
import { copied, described, KNOWN } from '../../testing/read-file.js';
import { inputsSchema, type Inputs } from '../resources/contacts/inputs.js';

/** What a service of somebody who exports lists may have: it lists the fields of every contact, too. */
const PROPERTIES = [
  ...KNOWN.types,
  ['company', 'string'],
  ['country', 'string'],
  ['createdAt', 'date'],
  ['email', 'string'],
  ['firstName', 'string'],
  ['subscribed', 'boolean'],
] as const;
const EVENT = { createWithEvent: { eventName: 'joined' } };
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
  readonly text: string;
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
    return { program, sheet: sheetSchema.parse(JSON.parse(sheet)), rows, text: `${file}\n` };
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
  return inputsSchema.parse(changed);
}

let file = '';
beforeEach(() => (file = path.join(mkdtempSync(path.join(tmpdir(), 'audience-')), 'people')));
afterEach(() => rmSync(path.dirname(file), { recursive: true }));

const programOf = (options: Inputs): Declared[] => [
  { type: 'contacts', name: 'people', inputs: { ...options, ...EVENT, file } },
];

/** Follows the messages of `preview` until it succeeds, or prints nothing to copy. */
async function follow(sheet: Sheet, engine: FakeEngine) {
  let [options, rounds]: [Inputs, number] = [{}, 0];
  for (;;) {
    const { errors } = await engine.preview(programOf(options));
    const printed = copied(errors.join('\n'));
    if (printed === undefined || rounds > MOST_ROUNDS) return { errors, rounds, options };
    options = answered(printed, sheet);
    rounds += 1;
  }
}

/** A service that has every second person, and everybody who wants no mail. */
function serviceWith(rows: readonly string[]): { service: FakeService; newcomers: string[] } {
  const service = new FakeService();
  service.properties = PROPERTIES.map(([key, type]) => ({ key, label: key, type }));
  const isThere = (row: string, index: number): boolean => row.startsWith('!') || index % 2 > 0;
  for (const row of rows.filter(isThere)) service.add(nameIn(row));
  return {
    service,
    newcomers: rows
      .filter((row, index) => !isThere(row, index))
      .map((row) => JSON.stringify({ ...nameIn(row), eventName: 'joined' })),
  };
}

/** The identifiers of an expected row. */
function nameIn(row: string): { readonly email: string } | { readonly userId: string } {
  const [name = ''] = row.replace('! ', '').split(' ');
  return name.includes('@') ? { email: name } : { userId: name };
}

test.each(EXPORTS)(
  '$program: by the messages and what a person knows, each gets what they want',
  async ({ sheet, rows, text }) => {
    writeFileSync(file, text);
    const { service, newcomers } = serviceWith(rows);
    const engine = new FakeEngine(service);
    const { errors, rounds, options } = await follow(sheet, engine);
    expect(rounds).toBeLessThanOrEqual(MOST_ROUNDS);
    expect(service.writes()).toEqual([]);
    expect(errors.length > 0).toBe(sheet.refused);
    if (sheet.refused) return;
    expect((await engine.up(programOf(options))).errors).toEqual([]);
    expect(service.events.sort()).toEqual(newcomers.sort());
    expect(
      service.people.map(({ id: _, subscriptionGroups: __, ...person }) => described(person)).sort(),
    ).toEqual([...rows].sort());
    // Each text was new once: without its answer the list is refused, and the message says where.
    const consent = typeof options.consent === 'object' ? options.consent : {};
    for (const [header, answers] of Object.entries(consent))
      for (const text of Object.keys(answers)) {
        const { [text]: _, ...others } = answers;
        const without = { ...options, consent: { ...consent, [header]: others } };
        const next = await engine.preview(programOf(without));
        expect(copied(next.errors.join())?.['consent']).toEqual({
          ...consent,
          [header]: { ...others, [text]: '?' },
        });
      }
  },
);

test('the sheet has many programs, and most have people who want no mail', () => {
  expect(EXPORTS.length).toBeGreaterThanOrEqual(60);
  const noMail = EXPORTS.filter(({ rows }) => rows.some((row) => row.startsWith('!')));
  expect(noMail.length).toBeGreaterThanOrEqual(40);
});
