import { FIELDS, isClearable } from '../../people/fields.js';
import { groupOf } from '../../people/values.js';
import type { PropertyTypes } from '../../known-properties.js';
import { nearest } from '../../words.js';
import { nearestField, spelledField } from './nearest.js';
import type { FileOptions } from './options.js';
import { readerOf, readIdentifier, readName, readSubscribed } from './values.js';
import type { ReadValue } from './values.js';

/** What can be declared beside the fields of every contact. */
export interface KnownNames {
  /** Types of the contact properties by name. */
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

/** Finds the fields of headers and of the names in JSON, each once. */
export class Columns {
  /** Columns that are read, by header. */
  readonly used = new Map<string, Column>();
  /** Headers that are not read, as `columns` has others. */
  readonly leftOut = new Set<string>();
  /** Names that are neither fields nor properties. */
  readonly unknown = new Set<string>();
  private readonly map: ReadonlyMap<string, string> | undefined;
  private readonly faults = new Map<string, string>();

  constructor(
    private readonly options: FileOptions,
    private readonly known: KnownNames,
  ) {
    if (options.columns !== undefined) {
      this.map = new Map(Object.entries(options.columns).map(([header, field]) => [header.trim(), field]));
      for (const [header, field] of this.map) {
        if (!this.isField(field)) this.fault(`columns: '${header}' is '${field}', which`, field);
      }
    }
    for (const field of Object.keys(options.dateFormat ?? {})) {
      if (known.isComplete && known.types.get(field) !== 'date') {
        this.faults.set(field, `dateFormat: '${field}' is not a contact property of type date`);
      }
    }
  }

  /** Whether the options or the service know a header; it may be only like one. */
  isKnown(header: string): boolean {
    return this.map?.has(header) ?? (this.isField(header) || spelledField(header) !== undefined);
  }

  /** The column of a header, or of a name in JSON; `undefined` where it is not read. */
  of(header: string): Column | undefined {
    const found = this.used.get(header);
    if (found !== undefined || header === '' || this.leftOut.has(header) || this.unknown.has(header))
      return found;
    const field = this.fieldOf(header);
    if (field === undefined) (this.map === undefined ? this.unknown : this.leftOut).add(header);
    else
      this.used.set(header, {
        field,
        read: this.readerOf(field),
        isClearable: groupOf(field) === undefined && isClearable(field),
      });
    return this.used.get(header);
  }

  /**
   * Finds the columns of a CSV file. Where two headers mean one field, only the one that is spelled exactly is read.
   *
   * @param first the first row, which helps to suggest columns.
   * @returns what is wrong with the header.
   */
  readHeader(headers: readonly string[], first: readonly string[]): string[] {
    const names = headers.filter((name) => name !== '');
    const means = (name: string): string | undefined => (this.isField(name) ? name : spelledField(name));
    for (const name of this.map === undefined ? names : []) {
      const isOne = names.filter((other) => means(other) === means(name)).length === 1;
      if (!isOne && !this.isField(name) && spelledField(name) !== undefined) this.unknown.add(name);
    }
    for (const [index, name] of names.entries()) {
      if (this.of(name) !== undefined && names.indexOf(name) !== index)
        this.faults.set(name, `the header has '${name}' twice. Rename one of the columns`);
    }
    for (const [name, field] of this.map ?? []) {
      if (names.includes(name)) continue;
      const near = nearest(name, names);
      const hint = near === undefined ? `It has ${quoted(names)}` : `Did you mean '${near}'?`;
      this.faults.set(name, `the header has no '${name}', which columns maps to '${field}'. ${hint}`);
    }
    const isFound = [...this.used.values()].some(({ field }) => field === 'email' || field === 'userId');
    const addresses = headers.filter((name, index) => /mail/i.test(name) && isAddress(first[index] ?? ''));
    const email = addresses.length === 1 ? addresses[0] : undefined;
    return isFound ? this.problems(email) : [this.noIdentifier(names, email)];
  }

  /**
   * What is wrong with the names: one message for all unknown ones.
   *
   * @param email a header with addresses below it.
   */
  problems(email?: string): string[] {
    if (this.unknown.size === 0) return [...this.faults.values()];
    const names = [...this.unknown].map((name) => {
      const near = this.nearest(name);
      return near === undefined ? `'${name}'` : `'${name}' (near '${near}')`;
    });
    const are = names.length === 1 ? 'column is' : 'columns are';
    const advice = `Declare properties with ContactProperty, or say which columns to read: columns: ${this.suggestion(email) || EXAMPLE}`;
    return [
      ...this.faults.values(),
      `${names.length} ${are} neither a field nor a contact property: ${names.join(', ')}. ${advice}`,
    ];
  }

  /** What is wrong with the groups that columns name. */
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
    const near = [...this.unknown].map((name) => [name, this.nearest(name)] as const);
    for (const [header, field] of [...near, [email ?? '', email && 'email'] as const]) {
      // What cannot be taken back is not suggested.
      const isSafe = field !== undefined && field !== '' && field !== 'subscribed';
      if (isSafe && ![...fields.values()].includes(field)) fields.set(header, field);
    }
    return fields.size === 0 ? '' : `{ ${[...fields].map((pair) => pair.map(quote).join(': ')).join(', ')} }`;
  }

  private nearest(name: string): string | undefined {
    return spelledField(name) ?? nearestField(name, [...this.known.types.keys()]);
  }

  private fieldOf(header: string): string | undefined {
    if (this.map !== undefined) return this.map.get(header);
    if (this.isField(header)) return header;
    return spelledField(header) ?? (this.known.isComplete || isNested(header) ? undefined : header);
  }

  private isField(name: string): boolean {
    const field = FIELDS.get(name);
    if (field !== undefined) return field.type !== 'groups';
    return groupOf(name) !== undefined || this.known.types.has(name);
  }

  private readerOf(field: string): ReadValue {
    if (field === 'email' || field === 'userId') return (value) => readIdentifier(field, value);
    if (field === 'firstName' || field === 'lastName') return readName;
    if (field === 'subscribed') return readSubscribed;
    const group = groupOf(field);
    if (group === undefined) {
      return readerOf(this.known.types.get(field) ?? 'string', this.options.dateFormat?.[field]);
    }
    return readerOf('boolean');
  }

  private fault(subject: string, field: string): void {
    if (!this.known.isComplete && !isNested(field)) return;
    const near = this.nearest(field);
    const hint =
      near === undefined ? 'Declare it with ContactProperty, or correct the name' : `Did you mean '${near}'?`;
    this.faults.set(field, `${subject} is neither a field nor a contact property. ${hint}`);
  }
}

/** Names that hold other names, so that no property can be meant. */
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
