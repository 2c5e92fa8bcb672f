import { BUILT_IN_PROPERTIES, consentOfHeader, isOtherChannel } from 'audience-core/internal';
import { FIELDS, isClearable } from '../resources/contact-record/fields.js';
import { groupOf } from '../resources/contact-record/values.js';
import type { FileProblem } from '../messages/files.js';
import { counted, textOf } from '../messages/index.js';
import type { KnownNames } from '../resources/known-service.js';
import type { Inputs } from '../resources/contacts/inputs.js';
import { aliasOf, bare, ByHeader, CERTAIN, isMapped } from './aliases.js';
import { ConsentColumn } from './consent.js';
import { readerOf, type ReadValue } from './values.js';

/** A column of a file, or a name in JSON. */
export interface Column {
  readonly header: string;
  /** Flat name, such as `planName` or `subscriptionGroups.<id>`; `undefined` where the column is not read. */
  readonly field: string | undefined;
  readonly read: ReadValue;
  /** Whether an empty cell can clear the value. */
  readonly isClearable: boolean;
  /** What the column says about consent; `undefined` where that is answered. */
  readonly consent: ConsentColumn | undefined;
  /** Texts of it that usually mean "no value". */
  readonly noValues: Set<string>;
  hasEmpty: boolean;
}

const FIELD_NAMES = [...FIELDS].filter(([, { type }]) => type !== 'groups').map(([name]) => name);
/** Fields with personal texts, which are no states. */
const NO_STATES: readonly (string | undefined)[] = ['email', 'userId', 'firstName', 'lastName'];

/** Finds the field of each header, once. */
export class Columns {
  readonly all = new Map<string, Column>();
  readonly map: ByHeader<string | null> | undefined;
  /** Names that are no field and no property. */
  readonly unknown = new Set<string>();
  /** What `unsubscribed` says of each header. */
  readonly answers: ByHeader<string[]>;
  private readonly faults: FileProblem[] = [];
  private readonly likeByBare: ReadonlyMap<string, readonly string[]>;
  /** The row of the header, where it is not at the top. */
  headerRow: number | undefined;
  delimiter: string | undefined;
  /** Whether a column without a name has values: only `columns` can say which columns are read. */
  isAsked = false;

  constructor(
    private readonly options: Inputs,
    private readonly known: KnownNames,
  ) {
    const { columns, unsubscribed, dateFormat = {} } = options;
    this.map = columns && new ByHeader(columns);
    this.answers = new ByHeader(typeof unsubscribed === 'object' ? unsubscribed : {});
    const properties = [...known.types.keys()].filter((name) => !Object.hasOwn(BUILT_IN_PROPERTIES, name));
    this.likeByBare = Map.groupBy(properties, bare);
    for (const [subject, given] of this.map?.entries ?? []) {
      if (!isMapped(given) || this.isField(given)) continue;
      if (known.isComplete || isUnusable(given)) this.faults.push({ code: 'columns.field', subject, given });
    }
    for (const subject of Object.keys(dateFormat))
      if (known.isComplete && known.types.get(subject) !== 'date')
        this.faults.push({ code: 'columns.date-format', subject });
  }

  /** Reads the header of a table, and the row where it was found below others. */
  begin(names: readonly string[], row?: number): void {
    this.headerRow = row;
    if (row !== undefined)
      this.faults.push({ code: 'header.row', count: row, given: this.identifierIn(names) });
    const twice = this.twiceIn(names);
    if (twice !== undefined) this.faults.push(twice);
  }

  /** Two of these names that mean one field. */
  twiceIn(names: readonly string[]): FileProblem | undefined {
    const byField = Map.groupBy(names, (name) => this.of(name)?.field);
    const [, twice] = [...byField].find(([field, all]) => field !== undefined && all.length > 1) ?? [];
    return twice && { code: 'header.twice', names: twice };
  }

  /** The column of a header or name; `undefined` of an empty one. */
  of(header: string): Column | undefined {
    const found = this.all.get(header);
    if (found !== undefined || header === '') return found;
    const field = this.fieldOf(header);
    const dateFormat = this.options.dateFormat?.[field ?? ''];
    const type = FIELDS.has(field ?? '') ? 'string' : this.known.types.get(field ?? '');
    const column: Column = {
      header,
      field,
      read: readerOf(field ?? '', type, dateFormat, this.delimiter),
      isClearable: field !== undefined && groupOf(field) === undefined && isClearable(field),
      consent: this.consentOf(header, field),
      noValues: new Set(),
      hasEmpty: false,
    };
    this.all.set(header, column);
    return column;
  }

  /** The header that is the email or the userId, or is likely to be the email: a table's header is found by it. */
  identifierIn(headers: readonly string[]): string | undefined {
    return headers.find((header) => {
      const mapped = this.map?.find(header);
      if (mapped !== undefined) return isIdentifier(mapped[1]);
      return header === 'userId' || aliasOf(header) === 'email';
    });
  }

  /** What is wrong with the names of the options, with the header, and with columns about consent. */
  async problems(): Promise<readonly FileProblem[]> {
    const names = [...this.all.keys()];
    const problems = [...this.faults];
    if (names.length > 0 && !this.hasIdentifier && this.options.file !== undefined)
      problems.push(
        names.some((name) => /^\S+@\S+$/.test(name))
          ? { code: 'header.values' }
          : { code: 'header.no-identifier', names },
      );
    else if (this.unknown.size > 0)
      problems.push({ code: 'header.unknown', count: this.unknown.size, names: [...this.unknown] });
    const found = new Set(names.map(bare));
    const mapped = this.map?.entries.filter(([, field]) => isMapped(field)) ?? [];
    for (const [subject] of [...mapped, ...this.answers.entries])
      if (found.size > 0 && !found.has(bare(subject)))
        problems.push({ code: 'header.missing', subject, names });
    for (const { header: subject, field = '', consent } of this.all.values()) {
      const group = groupOf(field);
      const wrong = group === undefined ? undefined : await this.known.groupProblem?.(group);
      if (wrong !== undefined) problems.push({ code: 'reason', subject: field, expected: textOf(wrong) });
      if (consent === undefined) continue;
      const { held: given, found: texts, canBeSubscribed } = consent;
      const expected = canBeSubscribed ? 'subscribed' : undefined;
      if (consent.isOpen) problems.push({ code: 'consent.question', subject, given, expected });
      else if (texts.size > 0)
        problems.push({
          code: 'consent.unlisted',
          subject,
          count: texts.size,
          // A value of the program may be a secret.
          given: this.options.file === undefined ? counted(texts.size, 'other text') : given,
        });
    }
    return problems;
  }

  /** Whether a column is read as the email or the userId. */
  get hasIdentifier(): boolean {
    return [...this.all.values()].some(({ field }) => isIdentifier(field));
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
      const field = this.map.find(header)?.[1];
      return isMapped(field) ? field : undefined;
    }
    const field = this.isField(header) ? header : CERTAIN.get(bare(header));
    if (field !== undefined || this.answers.find(header) !== undefined) return field;
    if (!this.known.isComplete && !isUnusable(header)) return header;
    this.unknown.add(header);
    return undefined;
  }

  private consentOf(header: string, field: string | undefined): ConsentColumn | undefined {
    const { file, unsubscribed } = this.options;
    const answer = this.answers.find(header)?.[1];
    // An array is asked nothing, but an answer of the program applies.
    const isAsked = answer === undefined ? file !== undefined : answer.length > 0;
    if (!isAsked || unsubscribed === true || isIdentifier(field)) return undefined;
    const mapped = this.map?.find(header);
    const isAnswered = field === 'subscribed' || (mapped !== undefined && !isMapped(mapped[1]));
    const isOther = groupOf(header) !== undefined || isOtherChannel(header);
    const hasNames = NO_STATES.includes(field) || /name$/i.test(header.trim());
    const isSilent = isOther || (hasNames && consentOfHeader(header) === undefined);
    return answer === undefined && (isAnswered || isSilent) ? undefined : new ConsentColumn(header, answer);
  }
}

export function isIdentifier(field: string | null | undefined): boolean {
  return field === 'email' || field === 'userId';
}

/** Whether no property can have a name: the service sets it by itself, or it holds other names. */
function isUnusable(name: string): boolean {
  const isReadOnly = Object.hasOwn(BUILT_IN_PROPERTIES, name) && !FIELD_NAMES.includes(name);
  return isReadOnly || name.includes('.') || ['id', 'properties', 'subscriptionGroups'].includes(name);
}
