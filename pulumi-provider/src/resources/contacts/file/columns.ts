import { groupOf as groupOfColumn } from '../../people/values.js';
import { FIELDS } from '../../people/fields.js';
import type { PropertyTypes } from '../../known-properties.js';
import { isSafeToSuggest, nearest, spelledField } from './nearest.js';
import type { FileOptions } from './options.js';
import { readerOf, readIdentifier, readName, readSubscribed } from './values.js';
import type { ReadValue } from './values.js';

/** What can be declared beside the fields of every contact. */
export interface KnownNames {
  /** Types of the contact properties by name. */
  readonly types: PropertyTypes;
  /** Names of the subscription groups by id; `undefined` where they could not be read. */
  readonly groups?: ReadonlyMap<string, string> | undefined;
  /** Whether `types` has all properties: then another name is an error. */
  readonly isComplete: boolean;
}

/** A column that is read. */
export interface Column {
  readonly header: string;
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

  /** The column of a name in JSON, and of a header if no other header means the same. */
  of(header: string): Column | undefined {
    const found = this.used.get(header);
    if (found !== undefined || this.leftOut.has(header) || this.unknown.has(header)) return found;
    const field = this.fieldOf(header);
    if (field === undefined) (this.map === undefined ? this.unknown : this.leftOut).add(header);
    else this.used.set(header, this.compiled(header, field));
    return this.used.get(header);
  }

  /** The columns of a header, by place. Where two headers mean one field, the one that is spelled exactly is read. */
  ofHeader(headers: readonly string[]): (Column | undefined)[] {
    for (const header of headers) {
      const means = this.map === undefined ? spelledField(header) : undefined;
      const isOne = headers.filter((other) => other === means || spelledField(other) === means).length === 1;
      if (means !== undefined && header !== means && !this.isField(header) && !isOne)
        this.unknown.add(header);
    }
    const columns = headers.map((header) => (header === '' ? undefined : this.of(header)));
    const twice = headers.find((header, index) => this.used.has(header) && headers.indexOf(header) !== index);
    if (twice !== undefined)
      this.faults.set(twice, `the header has '${twice}' twice. Rename one of the columns`);
    for (const [header, field] of this.map ?? []) {
      if (headers.includes(header)) continue;
      const near = nearest(header, headers);
      const hint =
        near === undefined || !headers.includes(near)
          ? `It has ${quoted(headers)}`
          : `Did you mean '${near}'?`;
      this.faults.set(header, `the header has no '${header}', which columns maps to '${field}'. ${hint}`);
    }
    return columns;
  }

  /**
   * What is wrong with the names: one message for all unknown ones.
   *
   * @param sample values by header, of the first row: they help to suggest what to read.
   */
  problems(sample: ReadonlyMap<string, unknown> = new Map()): string[] {
    if (this.unknown.size === 0) return [...this.faults.values()];
    const names = [...this.unknown].map((name) => {
      const near = this.nearest(name);
      return near === undefined ? `'${name}'` : `'${name}' (near '${near}')`;
    });
    const are = names.length === 1 ? 'column is' : 'columns are';
    const copy = this.suggestion(sample) || EXAMPLE;
    return [
      ...this.faults.values(),
      `${names.length} ${are} neither a field nor a contact property: ${names.join(', ')}. Declare properties with ContactProperty, or say which columns to read: columns: ${copy}`,
    ];
  }

  /** What to say of a header without an email and a userId. */
  noIdentifier(header: readonly string[], sample: ReadonlyMap<string, unknown>): string {
    if (header.some((name) => isAddress(name))) {
      return 'the file begins with a row of values. Put a header above it, for example email,firstName';
    }
    const copy = this.suggestion(sample);
    const example = /'(email|userId)'/.test(copy) ? copy : EXAMPLE;
    const names = header.filter((name) => name !== '');
    return `no column is email or userId. The header has ${quoted(names)}. Map one of them: columns: ${example}`;
  }

  /** The `columns` that a person can copy into the program; empty where nothing is like a field. */
  suggestion(sample: ReadonlyMap<string, unknown>): string {
    const fields = new Map<string, string>();
    const suggest = (header: string, field: string | undefined): void => {
      if (field !== undefined && isSafeToSuggest(field) && ![...fields.values()].includes(field))
        fields.set(header, field);
    };
    for (const [header, { field }] of this.used) {
      if (this.map !== undefined || this.isField(field)) fields.set(header, field);
    }
    for (const header of this.unknown) suggest(header, this.nearest(header));
    const addresses = [...sample].filter(([header, value]) => /mail/i.test(header) && isAddress(value));
    if (addresses.length === 1) suggest(addresses[0]?.[0] ?? '', 'email');
    return fields.size === 0 ? '' : `{ ${[...fields].map((pair) => pair.map(quote).join(': ')).join(', ')} }`;
  }

  private nearest(name: string): string | undefined {
    return spelledField(name) ?? nearest(name, [...this.known.types.keys()]);
  }

  private fieldOf(header: string): string | undefined {
    if (this.map !== undefined) return this.map.get(header);
    if (this.isField(header)) return header;
    return spelledField(header) ?? (this.known.isComplete || isNested(header) ? undefined : header);
  }

  private isField(name: string): boolean {
    const field = FIELDS.get(name);
    if (field !== undefined) return field.type !== 'groups';
    return groupOfColumn(name) !== undefined || this.known.types.has(name);
  }

  private compiled(header: string, field: string): Column {
    return { header, field, read: this.readerOf(field), isClearable: this.isClearable(field) };
  }

  private isClearable(field: string): boolean {
    const standard = FIELDS.get(field);
    if (standard !== undefined) return standard.clearable && standard.isIdentifier !== true;
    return groupOfColumn(field) === undefined;
  }

  private readerOf(field: string): ReadValue {
    if (field === 'email' || field === 'userId') return (value) => readIdentifier(field, value);
    if (field === 'firstName' || field === 'lastName') return readName;
    if (field === 'subscribed') return readSubscribed;
    const group = groupOfColumn(field);
    if (group === undefined) {
      return readerOf(this.known.types.get(field) ?? 'string', this.options.dateFormat?.[field]);
    }
    if (this.known.groups?.has(group) === false)
      this.faults.set(field, this.groupProblem(group, this.known.groups));
    return readerOf('boolean');
  }

  private groupProblem(id: string, groups: ReadonlyMap<string, string>): string {
    const byName = [...groups].find(([, name]) => name === id);
    if (byName !== undefined) {
      return `'${id}' is the name of a subscription group. Write its id: 'subscriptionGroups.${byName[0]}'`;
    }
    const all = [...groups].map(([known, name]) => `'${known}' (${name})`).join(', ');
    return `the service has no subscription group '${id}'. It has ${all === '' ? 'none' : all}`;
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

function isAddress(value: unknown): boolean {
  return typeof value === 'string' && /^\S+@\S+$/.test(value);
}

/** Names for messages. */
export function quoted(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(', ');
}

function quote(text: string): string {
  return `'${text.replaceAll(/['\\]/g, '\\$&')}'`;
}
