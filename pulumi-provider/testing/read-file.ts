import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import vm from 'node:vm';
import { consentOfHeader } from 'audience-core/internal';
import type { PropertyType } from 'audience-core';
import type { FileProblem } from '../src/messages/files.js';
import { problem } from '../src/messages/index.js';
import { FileError } from '../src/contact-file/problems.js';
import { Reading, type ReadingHooks } from '../src/contact-file/read.js';
import { inputsSchema, type Inputs } from '../src/resources/contacts/inputs.js';
import type { KnownNames } from '../src/resources/known-service.js';

/** What the service of these tests has. */
export const KNOWN: KnownNames = {
  types: new Map<string, PropertyType>([
    ['planName', 'string'],
    ['notes', 'string'],
    ['seats', 'number'],
    ['onTrial', 'boolean'],
    ['signedUp', 'date'],
  ]),
  groupProblem: (id) =>
    Promise.resolve(id === 'grp_news' ? undefined : problem('input.noGroup', { id, groups: [] })),
  isComplete: true,
};

/** What a reading came to. */
export interface Read {
  /** Rows with their values beside their identifiers. */
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly locations: readonly string[];
  /** What a person is told, with `FILE` for the file; empty where the list was read. */
  readonly error: string;
  /** The problems, each as `code @ location | subject | given | expected or names`. */
  readonly problems: readonly string[];
  readonly reading: Reading;
}

/** Reads a text or bytes as a file. */
export async function readFile(
  content: string | Uint8Array,
  options: Inputs = {},
  known: KnownNames = KNOWN,
  hooks: ReadingHooks = {},
): Promise<Read> {
  const folder = mkdtempSync(path.join(tmpdir(), 'audience-'));
  try {
    const file = path.join(folder, 'people');
    writeFileSync(file, content);
    const read = await readSource({ ...options, file }, known, hooks);
    return { ...read, error: read.error.replaceAll(file, 'FILE') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Reads a file that is there, or an array. */
export async function readSource(
  source: Inputs,
  known: KnownNames = KNOWN,
  hooks: ReadingHooks = {},
): Promise<Read> {
  const reading = new Reading(source, known, undefined, hooks);
  const rows: Readonly<Record<string, unknown>>[] = [];
  const locations: string[] = [];
  let error = '';
  let problems: readonly string[] = [];
  try {
    await reading.read(({ location, values, email, userId, emptied }) => {
      rows.push({ email, userId, ...values, ...(emptied.length > 0 && { emptied }) });
      locations.push(location);
    });
  } catch (thrown) {
    if (!(thrown instanceof Error) || thrown.name !== 'ResourceError') throw thrown;
    error = thrown.message;
    if (thrown instanceof FileError) problems = thrown.problems.map(brief);
  }
  return { rows, locations, error, problems, reading };
}

/** Problems whose `expected` is a sentence of the core. */
const WORDED = ['consent.question', 'reason', 'row.date'];

/** A problem in one line: `row.value @ line 2 +3 seats 'x'`. */
function brief({ code, subject, given, expected, names, locations = [], count = 0 }: FileProblem): string {
  const [where] = locations;
  const more = where !== undefined && count > 1 ? ` +${count - 1}` : '';
  const at = where === undefined ? '' : ` @ ${where}${more}`;
  const what = [subject, given === undefined ? undefined : `'${given}'`, names?.join(', ')].filter(Boolean);
  const rest = WORDED.includes(code) || expected === undefined ? [] : [`(${expected})`];
  return [`${code}${at}`, ...what, ...rest].join(' ');
}

/** A row in one line: `! ada@example.com firstName=Ada seats:3`; `!` is somebody who wants no mail. */
export function described({
  email,
  userId,
  subscribed,
  ...values
}: Readonly<Record<string, unknown>>): string {
  const rest = Object.entries({ ...(email !== undefined && { userId }), ...values })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) =>
      typeof value === 'string' ? `${name}=${value}` : `${name}:${JSON.stringify(value)}`,
    );
  return [subscribed === false ? '!' : '', String(email ?? userId), ...rest].filter(Boolean).join(' ');
}

/** The options that a message prints, as a person pastes them. */
export function pasted(error: string): Inputs | undefined {
  const [, text] = error.split('Copy these inputs, and check each line of them:\n');
  if (text === undefined) return undefined;
  return inputsSchema.parse(JSON.parse(JSON.stringify(vm.runInNewContext(`({${text}})`))));
}

/** A text to copy names headers of the file only. It answers for each column about consent, and maps none to a property. */
export function expectRight({ columns = {}, unsubscribed = {} }: Inputs, { reading }: Read): void {
  const answered = [...Object.keys(unsubscribed), ...Object.keys(columns)];
  const headers = [...reading.columns.all.keys()];
  expect(headers).toEqual(expect.arrayContaining(answered));
  for (const [header, field] of Object.entries(columns))
    if (field === 'userId') expect(header).toBe('userId');
  for (const header of headers) {
    if (consentOfHeader(header) === undefined) continue;
    expect(answered).toContain(header);
    expect([undefined, null, 'subscribed']).toContain(columns[header]);
  }
}
