import { BUILT_IN_PROPERTIES, isOtherChannel } from 'audience-core/internal';
import { FIELDS, isClearable } from '../../contact-record/fields.js';
import { groupOf } from '../../contact-record/values.js';
import type { PropertyTypes } from '../../known-service.js';
import { bare, certainField, isEmailAlias } from './aliases.js';
import { ConsentColumn } from './consent.js';
import { ByHeader, isMapped } from './options.js';
import type { RowSource } from './options.js';
import type { FileProblem } from './problems.js';
import {
  readerOf,
  readIdentifier,
  readName,
  readNumberBesideSemicolons,
  readSubscribed,
  readUntyped,
} from './values.js';
import type { ReadValue } from './values.js';

/** What can be declared beside the fields of every contact. */
export interface KnownNames {
  readonly types: PropertyTypes;
  /** Says what is wrong with the id of a subscription group: `is no subscription group`. */
  readonly groupProblem?: (id: string) => Promise<string | undefined>;
  /** Whether `types` has all properties: then another name is an error. */
  readonly isComplete: boolean;
}

/** A column of a file, or a name in JSON. */
export interface Column {
  readonly header: string;
  /** Flat name, such as `planName` or `subscriptionGroups.<id>`; `undefined` where the column is not read. */
  readonly field: string | undefined;
  readonly read: ReadValue;
  /** Whether an empty cell can clear the value. */
  readonly isClearable: boolean;
  readonly isIdentifier: boolean;
  /** What the column says about consent; `undefined` where that is answered. */
  readonly consent: ConsentColumn | undefined;
  /** Texts of a column that is not read, which usually mean "no value". */
  noValues: Set<string> | undefined;
  /** Whether it may be the email, and a cell of it is empty. */
  isEmptyEmail: boolean;
  readonly isLikelyEmail: boolean;
}

const FIELD_NAMES = [...FIELDS].filter(([, { type }]) => type !== 'groups').map(([name]) => name);
/** Fields with personal texts, which are no states. */
const NO_STATES: readonly (string | undefined)[] = ['email', 'userId', 'firstName', 'lastName'];

/** Finds the field of each header, once. */
export class Columns {
  /** All columns, in the order of the file. */
  readonly all = new Map<string, Column>();
  readonly map: ByHeader<string | null> | undefined;
  /** Names that are no field and no property. */
  readonly unknown = new Set<string>();
  /** What `unsubscribed` says of each header. */
  readonly answers: ByHeader<readonly string[]>;
  private readonly faults: FileProblem[] = [];
  private readonly likeByBare: ReadonlyMap<string, readonly string[]>;
  private delimiter: string | undefined;

  constructor(
    private readonly options: RowSource,
    private readonly known: KnownNames,
  ) {
    const { columns, unsubscribed } = options;
    this.map = columns && new ByHeader(columns);
    this.answers = new ByHeader(typeof unsubscribed === 'object' ? unsubscribed : {});
    const properties = [...known.types.keys()].filter((name) => !Object.hasOwn(BUILT_IN_PROPERTIES, name));
    this.likeByBare = Map.groupBy(properties, bare);
    for (const [header, field] of this.map?.entries ?? []) {
      if (!isMapped(field)) continue;
      const problem = { subject: header, given: field };
      if (isReadOnly(field)) this.faults.push({ code: 'columns.read-only', ...problem });
      else if (!this.isField(field) && (known.isComplete || isNested(field)))
        this.faults.push({ code: 'columns.field', ...problem });
    }
    for (const subject of Object.keys(options.dateFormat ?? {}))
      if (known.isComplete && known.types.get(subject) !== 'date')
        this.faults.push({ code: 'columns.date-format', subject });
  }

  /** Reads the header of a table. */
  begin(names: readonly string[], delimiter?: string): void {
    this.delimiter = delimiter;
    const seen = new Set<string>();
    for (const subject of names) {
      const column = this.of(subject);
      if (seen.has(subject) && (column?.field ?? column?.consent) !== undefined)
        this.faults.push({ code: 'header.twice', subject });
      seen.add(subject);
    }
    for (const [field, columns] of Map.groupBy(this.all.values(), (column) => column.field))
      if (field !== undefined && columns.length > 1)
        this.faults.push({
          code: 'header.field-twice',
          subject: field,
          names: columns.map(({ header }) => header),
        });
  }

  /** The column of a header or name; `undefined` of an empty one. */
  of(header: string): Column | undefined {
    const found = this.all.get(header);
    if (found !== undefined || header === '') return found;
    const field = this.fieldOf(header);
    const column: Column = {
      header,
      field,
      read: field === undefined ? readUntyped : this.readerOf(field),
      isClearable: field !== undefined && groupOf(field) === undefined && isClearable(field),
      isIdentifier: isIdentifier(field),
      consent: this.consentOf(header, field),
      noValues: undefined,
      isLikelyEmail: field === undefined && isEmailAlias(header),
      isEmptyEmail: false,
    };
    this.all.set(header, column);
    return column;
  }

  /** Whether a header can be read, or is likely to be. */
  isKnown(header: string): boolean {
    const isNamed = this.map?.keyOf(header) ?? this.answers.keyOf(header);
    return isNamed !== undefined || this.meantBy(header) !== undefined || isEmailAlias(header);
  }

  /** Whether a header is the email or the userId, or is likely to be the email. */
  isIdentifier(header: string): boolean {
    const mapped = this.map?.get(header);
    return isIdentifier(mapped ?? this.meantBy(header)) || (mapped === undefined && isEmailAlias(header));
  }

  /** What is wrong with the names of the options, and with the header. */
  async problems(): Promise<readonly FileProblem[]> {
    const names = [...this.all.keys()];
    const problems = [...this.faults];
    if (names.length > 0 && !this.hasIdentifier && this.options.file !== undefined)
      problems.push(this.noIdentifier(names));
    else if (this.unknown.size > 0) problems.push({ code: 'header.unknown', names: [...this.unknown] });
    if (names.length > 0) {
      const mapped = this.map?.entries.filter(([, field]) => isMapped(field));
      problems.push(...this.missing(names, 'columns', mapped));
      problems.push(...this.missing(names, 'unsubscribed', this.answers.entries));
    }
    for (const { field = '' } of this.all.values()) {
      const group = groupOf(field);
      const expected = group === undefined ? undefined : await this.known.groupProblem?.(group);
      if (expected !== undefined) problems.push({ code: 'columns.group', subject: field, expected });
    }
    return problems;
  }

  /** Whether a column is read as the email or the userId. */
  get hasIdentifier(): boolean {
    return [...this.all.values()].some((column) => column.isIdentifier);
  }

  /** Whether a name is a field, a contact property that can be written, or a subscription group. */
  isField(name: string): boolean {
    if (FIELD_NAMES.includes(name) || groupOf(name) !== undefined) return true;
    return this.known.types.has(name) && !Object.hasOwn(BUILT_IN_PROPERTIES, name);
  }

  /** The only property whose name is a header but for case, blanks, `-` and `_`. */
  propertyLike(header: string): string | undefined {
    const like = this.likeByBare.get(bare(header)) ?? [];
    return like.length === 1 ? like[0] : undefined;
  }

  private fieldOf(header: string): string | undefined {
    if (this.map !== undefined) {
      const field = this.map.get(header);
      return isMapped(field) ? field : undefined;
    }
    const field = this.meantBy(header);
    if (field !== undefined || this.answers.keyOf(header) !== undefined) return field;
    if (!this.known.isComplete && !isNested(header) && !isReadOnly(header)) return header;
    this.unknown.add(header);
    return undefined;
  }

  private consentOf(header: string, field: string | undefined): ConsentColumn | undefined {
    const { file, unsubscribed } = this.options;
    const answer = this.answers.get(header);
    if (file === undefined || unsubscribed === true || isIdentifier(field)) return undefined;
    if (answer === undefined && (field === 'subscribed' || groupOf(header) !== undefined)) return undefined;
    if (answer?.length === 0) return undefined;
    const isLeftOut = this.map?.keyOf(header) !== undefined && !isMapped(this.map.get(header));
    const isPersonal = NO_STATES.includes(field) || /name$/i.test(header.trim());
    if (answer === undefined && (isLeftOut || isPersonal || isOtherChannel(header))) return undefined;
    return new ConsentColumn(header, answer);
  }

  private noIdentifier(names: readonly string[]): FileProblem {
    return names.some((name) => /^\S+@\S+$/.test(name))
      ? { code: 'header.values' }
      : { code: 'header.no-identifier', names };
  }

  private missing(
    names: readonly string[],
    given: string,
    entries: readonly (readonly [string, unknown])[] = [],
  ): FileProblem[] {
    if (entries.length === 0) return [];
    const found = new Set(names.map((name) => bare(name)));
    return entries
      .filter(([header]) => !found.has(bare(header)))
      .map(([subject]) => ({ code: 'header.missing', subject, given, names }));
  }

  private meantBy(header: string): string | undefined {
    return this.isField(header) ? header : certainField(header);
  }

  private readerOf(field: string): ReadValue {
    if (field === 'email' || field === 'userId') return (value) => readIdentifier(field, value);
    if (field === 'firstName' || field === 'lastName') return readName;
    if (field === 'subscribed') return readSubscribed;
    if (groupOf(field) !== undefined) return readerOf('boolean');
    const type = FIELDS.has(field) ? 'string' : this.known.types.get(field);
    if (type === undefined) return readUntyped;
    if (type === 'number' && this.delimiter === ';') return readNumberBesideSemicolons;
    return readerOf(type, this.options.dateFormat?.[field]);
  }
}

function isIdentifier(field: string | null | undefined): boolean {
  return field === 'email' || field === 'userId';
}

/** Whether the service sets a field by itself. */
function isReadOnly(name: string): boolean {
  return name === 'id' || (Object.hasOwn(BUILT_IN_PROPERTIES, name) && !FIELD_NAMES.includes(name));
}

/** Names that hold other names: no property can have them. */
function isNested(name: string): boolean {
  return name.includes('.') || name === 'properties' || name === 'subscriptionGroups';
}
