import { createHash, randomBytes } from 'node:crypto';

const MARK = '-';
const LENGTH = 6;
const CHARACTERS = 'abcdefghijkmnpqrstuvwxyz23456789';

/** Marks by group. */
export type Marks = ReadonlyMap<string, readonly string[]>;

/** In state: a group that is declared `true` and was not joined, as the contact may have left. Each mark is new. */
export function newMark(): string {
  return MARK + shortText(randomBytes(LENGTH));
}

export function isMark(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith(MARK);
}

/** The code that adds exactly the contacts with these marks. It fits once, as marks are new. */
export function codeOf(group: string, marks: readonly string[]): string {
  const text = JSON.stringify([group, [...marks].sort()]);
  return shortText(createHash('sha256').update(text).digest());
}

/** The codes in the environment variable AUDIENCE_REJOIN. */
export function codesIn(variable = ''): ReadonlySet<string> {
  return new Set(variable.split(',').flatMap((code) => code.trim() || []));
}

/** The groups that contacts with these marks join in a run with these codes. */
export function rejoinedGroups(marks: Marks, codes: ReadonlySet<string>): string[] {
  return [...marks].flatMap(([group, all]) => (codes.has(codeOf(group, all)) ? group : []));
}

function shortText(bytes: Uint8Array): string {
  return Array.from(bytes.subarray(0, LENGTH), (byte) => CHARACTERS.charAt(byte % CHARACTERS.length)).join(
    '',
  );
}
