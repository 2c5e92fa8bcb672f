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

type Answers = Readonly<Record<string, unknown>>;

/** Somebody who knows what each text means, or who answers 'mail' where no text of the file is named. */
const OWNERS = ['careful', 'hasty'] as const;
type Owner = (typeof OWNERS)[number];

/** Answers what is printed by what the sheet says, and nothing else. */
function answered(printed: Answers, { consent, columns }: Sheet, owner: Owner): Answers {
  const fields = Object.entries(isRecord(printed['columns']) ? printed['columns'] : {});
  const mapped = fields.map(([header, field]) => [header, columns[header] ?? (field === '?' ? '' : field)]);
  const asked = Object.entries(isRecord(printed['consent']) ? printed['consent'] : {});
  const said = typeof consent === 'object' ? consent : {};
  const meant = (header: string, text: string): string | undefined =>
    owner === 'hasty' && ['', '*'].includes(text) ? 'mail' : said[header]?.[text];
  const answers = asked
    .filter(([header]) => header in said)
    .map(([header, texts]) => {
      const all = Object.keys(isRecord(texts) ? texts : {});
      return [header, Object.fromEntries(all.map((text) => [text, meant(header, text)]))];
    });
  return {
    ...printed,
    ...(mapped.length > 0 && { columns: Object.fromEntries(mapped) }),
    ...(asked.length > 0 && {
      consent: typeof consent === 'string' ? consent : Object.fromEntries(answers),
    }),
  };
}

let file = '';
beforeEach(() => (file = path.join(mkdtempSync(path.join(tmpdir(), 'audience-')), 'people')));
afterEach(() => rmSync(path.dirname(file), { recursive: true }));

const programOf = (options: Answers): Declared[] => [
  { type: 'contacts', name: 'people', inputs: { ...options, ...EVENT, file } },
];

/** Follows the messages of `preview` until it succeeds, or prints nothing to copy. */
async function follow(sheet: Sheet, engine: FakeEngine, owner: Owner) {
  let options: Answers = typeof sheet.consent === 'string' ? { consent: sheet.consent } : {};
  for (let rounds = 0; ; rounds += 1) {
    const { errors } = await engine.preview(programOf(options));
    const printed = copied(errors.join('\n'));
    if (printed === undefined || rounds > MOST_ROUNDS) return { errors, rounds, options };
    options = answered(printed, sheet, owner);
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

/** The text with one more column, which the first row fills. */
function nextWeek(text: string): string {
  const [header = '', first, ...rows] = text.split('\n');
  const delimiter = [',', ';'].sort((one, other) => header.split(other).length - header.split(one).length)[0];
  return [`${header}${delimiter}Blocked since`, `${first}${delimiter}yes`, ...rows].join('\n');
}

describe.each(OWNERS)('by what is printed and a %s owner', (owner) => {
  test.each(EXPORTS)('$program is right, or refused with a reason', async ({ sheet, rows, text }) => {
    writeFileSync(file, text);
    const { service, newcomers } = serviceWith(rows);
    const engine = new FakeEngine(service);
    const { errors, rounds, options } = await follow(sheet, engine, owner);
    expect(rounds).toBeLessThanOrEqual(MOST_ROUNDS);
    expect(service.writes()).toEqual([]);
    expect(errors.length > 0).toBe(sheet.refused);
    if (sheet.refused) return;
    expect((await engine.up(programOf(options))).errors).toEqual([]);
    expect(service.events.sort()).toEqual(newcomers.sort());
    expect(
      service.people.map(({ id: _, subscriptionGroups: __, ...person }) => described(person)).sort(),
    ).toEqual([...rows].sort());
    service.writes();
    // A new column is a question, whatever the answers so far.
    writeFileSync(file, nextWeek(text));
    const next = await engine.up(programOf(options));
    expect(next.errors).not.toEqual([]);
    const printed = copied(next.errors.join('\n'));
    expect(printed?.['columns']).toMatchObject({ 'Blocked since': '' });
    if (options['consent'] !== 'no mail')
      expect(printed?.['consent']).toMatchObject({ 'Blocked since': { yes: '?' } });
    expect(service.writes()).toEqual([]);
  });
});

test.each(EXPORTS.filter(({ sheet }) => typeof sheet.consent === 'object' && !sheet.refused))(
  '$program with a new text is refused, and the message has its place',
  async ({ sheet, rows, text }) => {
    writeFileSync(file, text);
    const engine = new FakeEngine(serviceWith(rows).service);
    const { options } = await follow(sheet, engine, 'careful');
    const { consent } = inputsSchema.parse(options);
    for (const [header, answers] of Object.entries(typeof consent === 'object' ? consent : {}))
      for (const one of Object.keys(answers)) {
        const { [one]: _, ...others } = answers;
        const without = { ...options, consent: { ...consentOf(consent), [header]: others } };
        const next = await engine.preview(programOf(without));
        expect(copied(next.errors.join('\n'))?.['consent']).toEqual({
          ...consentOf(consent),
          [header]: { ...others, [one]: '?' },
        });
      }
  },
);

function consentOf(consent: Inputs['consent']): Readonly<Record<string, object>> {
  return typeof consent === 'object' ? consent : {};
}

test('the sheet has many programs, and most have people who want no mail', () => {
  expect(EXPORTS.length).toBeGreaterThanOrEqual(60);
  const noMail = EXPORTS.filter(({ rows }) => rows.some((row) => row.startsWith('!')));
  expect(noMail.length).toBeGreaterThanOrEqual(40);
});
