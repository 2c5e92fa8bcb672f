import { BUILT_IN_PROPERTIES, type PropertyType } from 'audience-core/internal';
import { ConsentColumn } from './consent.js';
import { FIELD_NAMES, groupOf, isIdentifier } from './fields.js';
import { bare, ByHeader, CERTAIN, isMapped } from './headers.js';
import type { ReadOptions } from './options.js';
import type { FileProblem } from './problems.js';
import { TextCounts } from './texts.js';
import { readerOf, type ReadValue } from './values.js';

/** What the service has beside the fields of every contact. */
export interface KnownProperties {
  readonly types: ReadonlyMap<string, PropertyType>;
  /** Whether `types` has all properties: then another name is an error. */
  readonly isComplete: boolean;
}

/** A column of a file, or a name in an array. */
export interface Column {
  readonly header: string;
  /** Flat name, such as `planName` or `subscriptionGroups.<id>`; `undefined` where the column declares no value. */
  readonly field: string | undefined;
  readonly read: ReadValue;
  /** What its texts say about consent. */
  readonly consent: ConsentColumn | undefined;
  /** Its texts, for a message; `undefined` for identifiers and names. */
  readonly texts: TextCounts | undefined;
}

/** Finds the field of each header, once. */
export class Columns {
  readonly #byHeader = new Map<string, Column>();
  readonly map: ByHeader<string | null> | undefined;
  readonly consent: ByHeader<ConsentColumn>;
  /** Names that are no field and no property. */
  readonly #unknown: string[] = [];
  /** Headers of a file that mean one field. */
  #twice: FileProblem | undefined;
  /** An array says `subscribed` in each row, a file never. */
  readonly #isFile: boolean;

  constructor(
    readonly options: ReadOptions,
    readonly known: KnownProperties,
  ) {
    const { file, columns, consent } = options;
    this.#isFile = file !== undefined;
    this.map = columns && new ByHeader(Object.entries(columns));
    const asked = typeof consent === 'object' ? Object.entries(consent) : [];
    this.consent = new ByHeader(
      asked.map(([header, answers]) => [header, new ConsentColumn(header, answers)]),
    );
  }

  get all(): readonly Column[] {
    return [...this.#byHeader.values()];
  }

  setHeader({ twice }: { readonly twice: FileProblem | undefined }): void {
    this.#twice = twice;
  }

  /** The column of a header or name; `undefined` of an empty one. */
  of(header: string, delimiter?: string): Column | undefined {
    const found = this.#byHeader.get(header);
    if (found !== undefined || header === '') return found;
    const field = this.#fieldOf(header);
    const name = field ?? '';
    const hasNames = isIdentifier(field) || field === 'firstName' || field === 'lastName';
    const column: Column = {
      header,
      field,
      read: readerOf(name, this.#typeOf(name), this.options.dateFormat?.[name], delimiter),
      consent: this.consent.find(header),
      texts: this.#isFile && !hasNames ? new TextCounts() : undefined,
    };
    this.#byHeader.set(header, column);
    return column;
  }

  /** What is wrong with the names of the options, and with those of the file. */
  problems(): readonly FileProblem[] {
    const problems = this.#optionProblems();
    if (this.#twice !== undefined) problems.push(this.#twice);
    const names = [...this.#byHeader.keys()];
    if (names.length > 0 && this.#isFile && !this.has(isIdentifier))
      problems.push(
        names.some((name) => /^\S+@\S+$/.test(name))
          ? { code: 'header.values' }
          : { code: 'header.no-identifier', names },
      );
    else if (this.#unknown.length > 0)
      problems.push({ code: 'header.unknown', count: this.#unknown.length, names: this.#unknown });
    const found = new Set(names.map(bare));
    const mapped = this.map?.entries.filter(([, field]) => isMapped(field)) ?? [];
    for (const [subject] of [...mapped, ...this.consent.entries])
      if (found.size > 0 && !found.has(bare(subject)))
        problems.push({ code: 'header.missing', subject, names });
    for (const [subject, { unanswered }] of this.consent.entries)
      if (unanswered.all.length > 0 && found.has(bare(subject)))
        problems.push({ code: 'consent.unanswered', subject, texts: { [subject]: unanswered.all } });
    const { consent, createWithEvent } = this.options;
    const causesMail = createWithEvent !== undefined || this.has((field) => groupOf(field) !== undefined);
    const isAnswered = typeof consent === 'string' || this.consent.entries.length > 0;
    if (this.#isFile && !isAnswered && causesMail) problems.push({ code: 'consent.needed' });
    return problems;
  }

  #optionProblems(): FileProblem[] {
    const { isComplete } = this.known;
    const problems: FileProblem[] = [];
    for (const [subject, given] of this.map?.entries ?? [])
      if (given === 'subscribed' && this.#isFile) problems.push({ code: 'columns.subscribed', subject });
      else if (isMapped(given) && !this.isField(given) && (isComplete || isUnusable(given)))
        problems.push({ code: 'columns.field', subject, given });
    for (const subject of Object.keys(this.options.dateFormat ?? {}))
      if (isComplete && this.#typeOf(subject) !== 'date')
        problems.push({ code: 'columns.date-format', subject });
    return problems;
  }

  /** Whether a column is read as such a field. */
  has(isSuch: (field: string) => boolean): boolean {
    return this.all.some(({ field }) => field !== undefined && isSuch(field));
  }

  /** Whether a name is a field, a contact property that can be written, or a subscription group. */
  isField(name: string): boolean {
    if (name === 'subscribed') return !this.#isFile;
    if (FIELD_NAMES.includes(name) || groupOf(name) !== undefined) return true;
    return this.known.types.has(name) && !Object.hasOwn(BUILT_IN_PROPERTIES, name);
  }

  /** The only property whose name is a header but for case, blanks, `-` and `_`. */
  propertyLike(header: string): string | undefined {
    const [like, ...others] = [...this.known.types.keys()].filter(
      (name) => bare(name) === bare(header) && !Object.hasOwn(BUILT_IN_PROPERTIES, name),
    );
    return others.length === 0 ? like : undefined;
  }

  /** The type of a field, or of a property that is known. */
  #typeOf(name: string): PropertyType | undefined {
    return Object.hasOwn(BUILT_IN_PROPERTIES, name) ? BUILT_IN_PROPERTIES[name] : this.known.types.get(name);
  }

  #fieldOf(header: string): string | undefined {
    const mapped = this.map?.find(header);
    if (this.map !== undefined) return isMapped(mapped) ? mapped : undefined;
    const field = this.isField(header) ? header : CERTAIN.get(bare(header));
    if (field !== undefined || this.consent.find(header) !== undefined) return field;
    if (!this.known.isComplete && !isUnusable(header) && header !== 'subscribed') return header;
    this.#unknown.push(header);
    return undefined;
  }
}

/** Whether no property can have a name: it is built in, or it holds other names. */
function isUnusable(name: string): boolean {
  const isReadOnly = Object.hasOwn(BUILT_IN_PROPERTIES, name) && !FIELD_NAMES.includes(name);
  return isReadOnly || name.includes('.') || ['id', 'properties', 'subscriptionGroups'].includes(name);
}
