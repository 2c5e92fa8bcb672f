import { createHash } from 'node:crypto';
import { canAddress, canonicalJson, describeIssue } from 'audience-core/internal';
import { effectsOf } from '../contact/columns.js';
import {
  encodeFields,
  groupsOf,
  IDENTIFIERS,
  onWire,
  propertiesOf,
  RECORD_FIELDS,
} from '../contact/fields.js';
import type { Claim, Declarant } from '../declarations.js';
import { textOf } from '../raw.js';
import type { Raw } from '../raw.js';
import type { PropertyTypes } from '../known-properties.js';
import { isGiven, NO_ADDRESS } from '../people.js';
import type { Run } from '../run.js';
import { codecOf, nameOfSource, readRecords } from './records.js';
import type { ContactRecord, RecordSource } from './records.js';
import { limited } from './work.js';

/** What is known of all records together. */
export interface Summary {
  readonly count: number;
  /** Whether some declare both identifiers. */
  readonly hasBoth: boolean;
  /** How many declare `subscribed: false`. */
  readonly unsubscribed: number;
  /** How many join or leave a group or lose a value, by words. */
  readonly effects: ReadonlyMap<string, number>;
  /** Hash of them all. */
  readonly fingerprint: string;
  /** Custom properties and groups that are declared in any of them, with the first place of each. */
  readonly properties: ReadonlyMap<string, string>;
  readonly groups: ReadonlyMap<string, string>;
}

/** The hash of records, one after the other. */
export class Fingerprint {
  private readonly hash = createHash('sha256');

  add({ fields }: ContactRecord): void {
    this.hash.update(`${canonicalJson(onWire(fields))}\n`);
  }

  digest(): string {
    return this.hash.digest('base64url');
  }
}

/** Whether a record has an email and a userId. */
export function declaresBoth({ fields }: ContactRecord): boolean {
  return IDENTIFIERS.every((name) => textOf(fields[name]) !== undefined);
}

/** Counts one more of a name. */
export function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** The fingerprint of a list's records; of an empty list its name tells it from others. */
export function fingerprintOf({ count, fingerprint }: Summary, label: string): string {
  return count === 0 ? `${fingerprint} ${label}` : fingerprint;
}

/** Whether a list that was checked has the records still. */
export function isFingerprintOf(checked: string | undefined, { fingerprint }: Summary): boolean {
  return checked?.split(' ')[0] === fingerprint;
}

/** @param onRecord is told of each record on the way. */
export async function summaryOf(
  source: RecordSource,
  onRecord: (record: ContactRecord) => void,
): Promise<Summary> {
  const fingerprint = new Fingerprint();
  const properties = new Map<string, string>();
  const groups = new Map<string, string>();
  const effects = new Map<string, number>();
  let [number, unsubscribed, hasBoth] = [0, 0, false];
  const records = readRecords(source, (header) => {
    for (const name of header.properties) properties.set(name, 'line 1');
    for (const id of header.groups) groups.set(id, 'line 1');
  });
  for await (const record of records) {
    number += 1;
    if (record.fields['subscribed'] === false) unsubscribed += 1;
    hasBoth ||= declaresBoth(record);
    fingerprint.add(record);
    for (const words of effectsOf(record.fields)) add(effects, words);
    for (const name of Object.keys(propertiesOf(record.fields))) {
      if (!properties.has(name)) properties.set(name, record.location);
    }
    for (const id of groupsOf(record.fields)) {
      if (!groups.has(id)) groups.set(id, record.location);
    }
    onRecord(record);
  }
  return {
    count: number,
    hasBoth,
    unsubscribed,
    effects,
    fingerprint: fingerprint.digest(),
    properties,
    groups,
  };
}

/** What a check of records needs to know of their declaration. */
export interface RecordsDeclaration extends RecordSource {
  readonly propertyTypes?: PropertyTypes | undefined;
  readonly allowEmpty?: boolean | undefined;
}

/**
 * Finds faults of the records: each with its place, and no value of a record in it. Whom they name is claimed for the
 * run.
 *
 * @param checked fingerprint of records that were checked in an earlier run: the same are not checked again.
 * @throws AuthenticationError or PermissionError where the service refuses the API key.
 */
export async function checkRecords(
  source: RecordsDeclaration,
  declarant: Declarant,
  run: Run,
  checked: unknown,
): Promise<{ readonly faults: readonly string[]; readonly summary: Summary }> {
  run.people.release(declarant);
  const twice: string[] = [];
  const summary = await summaryOf(source, (record) => {
    twice.push(...claim(record, source, declarant, run));
  });
  const result = (faults: readonly string[]) => ({
    faults: limited(faults).map((fault) => `${nameOfSource(source)}, ${fault}`),
    summary,
  });
  if (summary.count === 0 && source.allowEmpty !== true) {
    const reason = `${nameOfSource(source)} holds no contact. If that is meant, set allowEmpty: true; if not, look whether it was cut off`;
    return { faults: [reason], summary };
  }
  // One read, whatever is declared: a key that is refused is told before anything is written.
  await run.properties.listed(
    [...summary.properties.keys()].filter((name) => !source.propertyTypes?.has(name)),
  );
  if (checked === summary.fingerprint) return result(twice);
  const unknown = await unknownNames(summary, source, run);
  if (unknown.length > 0) return result(unknown);
  const listed = await run.properties.typesOf([...summary.properties.keys()]);
  const types = new Map([...listed, ...(source.propertyTypes ?? [])]);
  const faults = [...twice];
  for await (const record of readRecords(source)) faults.push(...faultsOf(record, types, source));
  return result(faults);
}

/** Names that nothing stands for, each told once: all records have them. */
async function unknownNames(
  { properties, groups }: Summary,
  { propertyTypes }: RecordsDeclaration,
  run: Run,
): Promise<string[]> {
  const faults: string[] = [];
  for (const [name, location] of properties) {
    if (propertyTypes?.has(name) === true) continue;
    const problem = await run.properties.problemOf(name);
    if (problem !== undefined) faults.push(`${location}: '${name}' ${problem}`);
  }
  for (const [id, location] of groups) {
    const problem = await run.groups.problemOf(id);
    if (problem !== undefined) faults.push(`${location}: 'subscriptionGroups.${id}' ${problem}`);
  }
  return faults;
}

function claim(record: ContactRecord, source: RecordSource, declarant: Declarant, run: Run): string[] {
  const own: Claim = {
    declarant,
    location: locationOf(record.location, source, declarant),
    userId: textOf(record.fields['userId']),
  };
  return IDENTIFIERS.flatMap((name) => {
    const value = record.fields[name];
    const earlier = typeof value === 'string' ? run.people.claim({ [name]: value }, own) : undefined;
    if (earlier === undefined) return [];
    const where =
      earlier.declarant.key === declarant.key
        ? `has the same ${name} as ${earlier.location.replace(/^.* \((.*?)(?: of .*)?\)$/, '$1')}`
        : `the contact is declared by ${earlier.location} as well: one of them would win by chance. Keep one of them`;
    return [`${record.location}: ${where}`];
  });
}

function locationOf(place: string, { file }: RecordSource, { label }: Declarant): string {
  return file === undefined ? `${label} (${place})` : `${label} (${place} of '${file}')`;
}

function faultsOf({ fields, location }: ContactRecord, types: PropertyTypes, source: RecordSource): string[] {
  const problems = Object.keys(fields)
    .filter((name) => !RECORD_FIELDS.includes(name))
    .map((name) => `'${name}' is not a field of a contact; custom properties go into 'properties'`);
  if (IDENTIFIERS.every((name) => fields[name] === undefined)) {
    problems.push("has neither an 'email' nor a 'userId'");
  }
  const userId = textOf(fields['userId']);
  if (fields['email'] === undefined && isGiven(userId) && !canAddress(userId))
    problems.push(`its 'userId' ${NO_ADDRESS}`);
  const known = Object.fromEntries(Object.entries(fields).filter(([name]) => RECORD_FIELDS.includes(name)));
  for (const issue of encodeFields(known, types, codecOf(source)).issues) {
    problems.push(hideAddress(describeIssue(issue)));
  }
  return problems.map((problem) => `${location}: ${problem}`);
}

/** Names of properties are quoted in messages, values are not; an address never is. */
function hideAddress(text: string): string {
  return text.replaceAll(/'[^'\s]+@[^'\s]+'/g, 'it');
}

/** The record in the form of the wire; `undefined` for one that the check cannot have let through. */
export function encodedRecord(
  { fields }: ContactRecord,
  types: PropertyTypes,
  source: RecordSource,
): Raw | undefined {
  const encoded = encodeFields(fields, types, codecOf(source));
  return encoded.issues.length === 0 ? encoded.fields : undefined;
}
