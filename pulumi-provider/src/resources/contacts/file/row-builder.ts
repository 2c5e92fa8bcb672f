import { canAddress } from 'audience-core/internal';
import { NO_ADDRESS } from '../../people/identity.js';
import type { Column } from './columns.js';
import type { Value } from '../../people/values.js';
import type { DeclaredRow } from '../rows.js';
import { Faults } from './faults.js';
import { Refusal } from './values.js';

/** A row that is not read, as `invalidRows` is `skip`. */
export interface SkippedRow {
  readonly location: string;
  /** Its identifiers, where they can be read: what state has of them stays. */
  readonly email?: string;
  readonly userId?: string;
}

/** What values mean that declare nothing by themselves. */
export interface EmptyValues {
  /** Texts that are read as an empty cell. */
  readonly nulls: ReadonlySet<string>;
  /** Whether an empty cell clears what an earlier run wrote. */
  readonly clears: boolean;
  /** Whether `null` clears: a program means it, a file has it for "no value". */
  readonly isNullDeclared: boolean;
}

/** Puts rows together, one after the other, and counts what is wrong with them. */
export class RowBuilder {
  count = 0;
  readonly faults = new Faults();
  readonly invalid: SkippedRow[] = [];
  private location = '';
  private email: string | undefined;
  private userId: string | undefined;
  private values: Record<string, Value> = {};
  private emptied: string[] = [];
  private isValid = true;

  constructor(private readonly empty: EmptyValues) {}

  begin(location: string): void {
    this.location = location;
    this.email = undefined;
    this.userId = undefined;
    this.values = {};
    this.emptied = [];
    this.isValid = true;
  }

  put({ field, read, isClearable }: Column, value: unknown): void {
    const { nulls, clears, isNullDeclared } = this.empty;
    const isEmpty = value === null || value === '' || (typeof value === 'string' && nulls.has(value));
    if (value === null && isNullDeclared) {
      if (isClearable) this.set(field, null);
      else if (!isIdentifier(field)) this.refuse('cannot be cleared: leave it out', field);
    } else if (isEmpty) {
      if (isClearable && clears) this.emptied.push(field);
    } else {
      const wire = read(value);
      if (wire instanceof Refusal) {
        // Values of a program may be secrets, and an address is personal.
        const isShown = wire.isShown && typeof value === 'string' && !isNullDeclared && !value.includes('@');
        this.refuse(wire.reason, field, isShown ? `'${value.slice(0, 40)}'` : '');
      } else if (wire !== undefined) this.set(field, wire);
    }
  }

  private set(field: string, value: Value): void {
    if (isIdentifier(field) ? this[field] !== undefined : Object.hasOwn(this.values, field)) {
      this.refuse('is there twice', field);
    }
    if (isIdentifier(field)) this[field] = String(value);
    else this.values[field] = value;
  }

  /** @param reason completes a sentence that begins with the value. */
  refuse(reason: string, field = '', value = ''): void {
    this.faults.add(this.location, field, reason, value);
    this.isValid = false;
  }

  /**
   * The row that was begun, unless something is wrong with it.
   *
   * @param fault what is wrong with it as a whole.
   */
  end(fault?: string): DeclaredRow | undefined {
    const { location, email, userId, values, emptied } = this;
    if (fault !== undefined) this.refuse(fault);
    else if (this.isValid && email === undefined) {
      if (userId === undefined) this.refuse('has neither an email nor a userId');
      else if (!canAddress(userId)) this.refuse(NO_ADDRESS, 'userId');
    }
    const row = {
      location,
      ...(email === undefined ? {} : { email }),
      ...(userId === undefined ? {} : { userId }),
    };
    if (!this.isValid) {
      this.invalid.push(row);
      return undefined;
    }
    this.count += 1;
    return { ...row, values, ...(emptied.length === 0 ? {} : { emptied }) };
  }
}

function isIdentifier(field: string): field is 'email' | 'userId' {
  return field === 'email' || field === 'userId';
}
