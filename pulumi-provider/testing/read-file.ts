import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runInThisContext } from 'node:vm';
import type { PropertyType } from 'audience-core';
import { isRecord } from 'audience-core/internal';
import { parse as parseYaml } from 'yaml';
import type { FileProblem } from '../src/contact-file/problems.js';
import { readContacts, type Reading } from '../src/contact-file/read.js';
import type { Identity } from '../src/contact-file/row.js';
import { fileRefusal } from '../src/messages/files.js';
import { problem } from '../src/messages/index.js';
import type { Inputs } from '../src/resources/contacts/inputs.js';
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
  groupProblems: (ids) => {
    const unknown = ids.filter((id) => id !== 'grp_news');
    return Promise.resolve(unknown.map((id) => problem('input.noGroup', { id, groups: [] })));
  },
  isComplete: true,
};

/** What a reading came to. */
export interface Read {
  /** Rows with their values beside their identifiers. */
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly locations: readonly string[];
  /** Rows that `consent` leaves out: their entries stay. */
  readonly skipped: readonly Identity[];
  readonly reading: Reading;
  /** The messages, with `FILE` for the file; empty where the list was read. */
  readonly error: string;
  /** The problems, each as `code @ location | subject | given | expected or names`. */
  readonly problems: readonly string[];
}

/** Reads a text or bytes as a file. */
export async function readFile(
  content: string | Uint8Array,
  options: Inputs = {},
  known: KnownNames = KNOWN,
): Promise<Read> {
  const folder = mkdtempSync(path.join(tmpdir(), 'audience-'));
  try {
    const file = path.join(folder, 'people');
    writeFileSync(file, content);
    const read = await readSource({ ...options, file }, known);
    return { ...read, error: read.error.replaceAll(file, 'FILE') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Reads a file that is there, or an array. */
export async function readSource(source: Inputs, known: KnownNames = KNOWN): Promise<Read> {
  const reading = await readContacts(source, known);
  const skipped = reading.rows.filter(({ isSkipped }) => isSkipped);
  const declared = reading.rows.filter(({ isSkipped }) => !isSkipped);
  const { problems, wayOut } = reading;
  const name = source.file === undefined ? 'contacts' : `'${source.file}'`;
  return {
    rows: declared.map(({ email, userId, values }) => ({ email, userId, ...values })),
    locations: declared.map(({ location }) => location),
    skipped: skipped.map(({ email, userId }) => ({ email, userId })),
    reading,
    error: problems.length === 0 ? '' : fileRefusal(name, problems, wayOut),
    problems: problems.map(brief),
  };
}

/** Problems whose `expected` is a sentence of the core. */
const WORDED = ['row.reason'];

/** A problem in one line: `row.value @ line 2 +3 seats 'x'`. */
function brief(problem: FileProblem): string {
  const { code, given, expected, names, texts = [], locations = [], count = 0 } = problem;
  const subject = code === 'header.twice' ? undefined : problem.subject;
  const ofTexts = texts.map(([text, number]) => `${JSON.stringify(text)}:${number}`);
  const [where] = locations;
  const more = where !== undefined && count > 1 ? ` +${count - 1}` : '';
  const at = where === undefined ? '' : ` @ ${where}${more}`;
  const what = [
    subject,
    given === undefined ? undefined : `'${given}'`,
    names?.join(', '),
    ...ofTexts,
  ].filter(Boolean);
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

/** The inputs that a message prints, as a person copies them to TypeScript, YAML or `--options`; blanks are left. */
export function copied(error: string): Readonly<Record<string, unknown>> | undefined {
  const [, text] = /^(\{\n[^]*?\n\}.*)$/m.exec(error) ?? [];
  if (text === undefined) return undefined;
  const value: unknown = JSON.parse(text);
  expect(parseYaml(text)).toEqual(value);
  expect(runInThisContext(`(${text})`)).toEqual(value);
  return isRecord(value) ? value : undefined;
}
