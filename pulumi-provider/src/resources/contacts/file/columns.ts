import { nearest } from 'audience-core/internal';
import { FIELDS, isClearable } from '../../contact-record/fields.js';
import { groupOf } from '../../contact-record/values.js';
import type { PropertyTypes } from '../../known-service.js';
import type { FileOptions } from './options.js';
import { readerOf, readIdentifier, readName, readSubscribed } from './values.js';
import type { ReadValue } from './values.js';

/** What can be declared beside the fields of every contact. */
export interface KnownNames {
  readonly types: PropertyTypes;
  /** Says what is wrong with the id of a subscription group: `is no subscription group`. */
  readonly groupProblem?: (id: string) => Promise<string | undefined>;
  /** Whether `types` has all properties: then another name is an error. */
  readonly isComplete: boolean;
}

/** A column that is read. */
export interface Column {
  /** Flat name, such as `planName` or `subscriptionGroups.<id>`. */
  readonly field: string;
  readonly read: ReadValue;
  /** Whether an empty cell can clear the value. */
  readonly isClearable: boolean;
}

const EXAMPLE = "{ 'Email Address': 'email' }";

/** Headers that mean a field, without case, blanks, `_` and `-`. */
const SPELLINGS: ReadonlyMap<string, string> = new Map([
  ['email', 'email'],
  ['emailaddress', 'email'],
  ['firstname', 'firstName'],
  ['lastname', 'lastName'],
]);

const FIELD_NAMES = [...FIELDS].filter(([, { type }]) => type !== 'groups').map(([name]) => name);

/** Finds the fields of headers and of the names in JSON, each once. */
export class Columns {
  /** Columns that are read, by header. */
  readonly used = new Map<string, Column>();
  /** Headers that `columns` does not list. */
  readonly notMapped = new Set<string>();
  /** Names that are neither fields nor properties. */
  readonly unknown = new Set<string>();
  private readonly map: ReadonlyMap<string, string> | undefined;
  private readonly faults = new Map<string, string>();

  constructor(
    private readonly options: FileOptions,
    private readonly known: KnownNames,
  ) {
    const { columns } = options;
    this.map = columns && new Map(Object.entries(columns).map(([header, field]) => [header.trim(), field]));
    for (const [header, field] of this.map ?? []) {
      if (this.isField(field) || !(known.isComplete || isNested(field))) continue;
      const fault = `columns: '${header}' is '${field}', which is neither a field nor a contact property`;
      const hint = hintOf(this.nearest(field), 'Declare it with ContactProperty, or correct the name');
      this.faults.set(field, `${fault}. ${hint}`);
    }
    for (const field of Object.keys(options.dateFormat ?? {})) {
      if (known.isComplete && known.types.get(field) !== 'date') {
        this.faults.set(field, `dateFormat: '${field}' is not a contact property of type date`);
      }
    }
  }

  /** Whether a header is one of `columns` or, without them, means a field. */
  isKnown(header: string): boolean {
    return this.map?.has(header) ?? this.meantBy(header) !== undefined;
  }

  /** The column of a header, or of a name in JSON; `undefined` where it is not read. */
  of(header: string): Column | undefined {
    const found = this.used.get(header);
    if (found !== undefined || header === '' || this.notMapped.has(header) || this.unknown.has(header))
      return found;
    const isOpen = !this.known.isComplete && !isNested(header);
    const field =
      this.map === undefined ? (this.meantBy(header) ?? (isOpen ? header : undefined)) : this.map.get(header);
    if (field === undefined) {
      (this.map === undefined ? this.unknown : this.notMapped).add(header);
      return undefined;
    }
    const canBeCleared = groupOf(field) === undefined && isClearable(field);
    const column = { field, read: this.readerOf(field), isClearable: canBeCleared };
    this.used.set(header, column);
    return column;
  }

  /** Finds the columns of a CSV file and says what is wrong with its header; `first` is the first row. */
  readHeader(headers: readonly string[], first: readonly string[]): string[] {
    const names = headers.filter((name) => name !== '');
    for (const name of this.map === undefined ? names : []) {
      // Where two headers mean one field, only the one that is spelled exactly is read.
      const field = this.meantBy(name);
      const isOnly = names.filter((other) => this.meantBy(other) === field).length === 1;
      if (field !== undefined && field !== name && !isOnly) this.unknown.add(name);
    }
    for (const [index, name] of names.entries()) {
      if (this.of(name) !== undefined && names.indexOf(name) !== index)
        this.faults.set(name, `the header has '${name}' twice. Rename one of the columns`);
    }
    for (const [name, field] of this.map ?? []) {
      if (names.includes(name)) continue;
      const hint = hintOf(nearest(name, names), `It has ${quoted(names)}`);
      this.faults.set(name, `the header has no '${name}', which columns maps to '${field}'. ${hint}`);
    }
    const isFound = [...this.used.values()].some(({ field }) => field === 'email' || field === 'userId');
    const addresses = headers.filter((name, index) => /mail/i.test(name) && isAddress(first[index] ?? ''));
    const email = addresses.length === 1 ? addresses[0] : undefined;
    return isFound ? this.problems(email) : [this.noIdentifier(names, email)];
  }

  /** What is wrong with the names: one message for all unknown ones. `email` is a header with addresses below it. */
  problems(email?: string): string[] {
    if (this.unknown.size === 0) return [...this.faults.values()];
    const names = [...this.unknown].map((name) => {
      const near = this.nearest(name);
      return near === undefined ? `'${name}'` : `'${name}' (near '${near}')`;
    });
    const are = names.length === 1 ? 'column is' : 'columns are';
    return [
      ...this.faults.values(),
      `${names.length} ${are} neither a field nor a contact property: ${names.join(', ')}. Declare properties with ContactProperty, or say which columns to read: columns: ${this.suggestion(email) || EXAMPLE}`,
    ];
  }

  /** What is wrong with the ids of subscription groups. */
  async groupProblems(): Promise<string[]> {
    const problems: string[] = [];
    for (const { field } of this.used.values()) {
      const group = groupOf(field);
      const problem = group === undefined ? undefined : await this.known.groupProblem?.(group);
      if (problem !== undefined) problems.push(`'${field}' ${problem}`);
    }
    return problems;
  }

  private noIdentifier(names: readonly string[], email: string | undefined): string {
    if (names.some(isAddress)) {
      return 'the file begins with a row of values. Put a header above it, for example email,firstName';
    }
    const copy = this.suggestion(email);
    const example = /'(email|userId)'/.test(copy) ? copy : EXAMPLE;
    return `no column is email or userId. The header has ${quoted(names)}. Map one of them: columns: ${example}`;
  }

  /** The `columns` that a person can copy into the program; empty where nothing is like a field. */
  suggestion(email?: string): string {
    const fields = new Map<string, string>();
    for (const [header, { field }] of this.used) {
      if (this.map !== undefined || this.isField(field)) fields.set(header, field);
    }
    const suggest = (header: string, field: string | undefined): void => {
      // An unsubscription cannot be undone, so it is not suggested.
      if (field === undefined || field === 'subscribed' || [...fields.values()].includes(field)) return;
      fields.set(header, field);
    };
    for (const name of this.unknown) suggest(name, this.nearest(name));
    if (email !== undefined) suggest(email, 'email');
    return fields.size === 0 ? '' : `{ ${[...fields].map((pair) => pair.map(quote).join(': ')).join(', ')} }`;
  }

  private meantBy(header: string): string | undefined {
    return this.isField(header) ? header : SPELLINGS.get(bare(header));
  }

  /** The field or property that a name is most like, for messages; `undefined` where none or several are. */
  private nearest(name: string): string | undefined {
    // The service lists the fields of every contact as properties, too.
    const properties = [...this.known.types.keys()].filter((known) => !FIELD_NAMES.includes(known));
    const wanted = bare(name.replace(/^properties\./, ''));
    // 'Unsubscribed' is near 'subscribed', and means the opposite.
    const others = [...FIELD_NAMES.filter((field) => field !== 'subscribed'), ...properties];
    const begins = properties.filter((known) => wanted.length > 2 && bare(known).startsWith(wanted));
    return (
      SPELLINGS.get(bare(name)) ??
      [...FIELD_NAMES, ...properties].find((known) => bare(known) === wanted) ??
      nearest(name, others) ??
      (begins.length === 1 ? begins[0] : undefined)
    );
  }

  /** Whether a name is a field, a known contact property, or a subscription group. */
  isField(name: string): boolean {
    return FIELD_NAMES.includes(name) || groupOf(name) !== undefined || this.known.types.has(name);
  }

  private readerOf(field: string): ReadValue {
    if (field === 'email' || field === 'userId') return (value) => readIdentifier(field, value);
    if (field === 'firstName' || field === 'lastName') return readName;
    if (field === 'subscribed') return readSubscribed;
    if (groupOf(field) !== undefined) return readerOf('boolean');
    return readerOf(this.known.types.get(field) ?? 'string', this.options.dateFormat?.[field]);
  }
}

function hintOf(near: string | undefined, otherwise: string): string {
  return near === undefined ? otherwise : `Did you mean '${near}'?`;
}

function bare(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]+/g, '');
}

/** Names that hold other names: no property can have them. */
function isNested(name: string): boolean {
  return name.includes('.') || name === 'properties' || name === 'subscriptionGroups';
}

function isAddress(value: string): boolean {
  return /^\S+@\S+$/.test(value);
}

/** Names for messages. */
export function quoted(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(', ');
}

function quote(text: string): string {
  return `'${text.replaceAll(/['\\]/g, '\\$&')}'`;
}
