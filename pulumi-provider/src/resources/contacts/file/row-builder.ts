import { canAddress } from 'audience-core/internal';
import { NO_ADDRESS } from '../../people/identity.js';
import type { Value } from '../../people/values.js';
import type { DeclaredRow, RowIdentity } from '../rows.js';
import type { Columns } from './columns.js';
import { Faults } from './faults.js';
import type { SourceRow } from './json.js';
import type { RowSource } from './options.js';
import { Refusal } from './values.js';

/** Builds rows, and collects their faults. */
export class RowBuilder {
  count = 0;
  readonly faults = new Faults();
  readonly invalid: RowIdentity[] = [];
  private readonly nulls: ReadonlySet<unknown>;
  private readonly isProgram: boolean;

  constructor(
    private readonly source: RowSource,
    private readonly columns: Columns,
  ) {
    this.nulls = new Set([null, '', ...(source.nullValues ?? [])]);
    this.isProgram = source.file === undefined;
  }

  /** The row, unless something is wrong with it. */
  build({ location, names, values, fault }: SourceRow): DeclaredRow | undefined {
    const reasons: string[] = [];
    const refuse = (reason: string, field = '', value = ''): void => {
      this.faults.add(location, field, reason, value);
      reasons.push(reason);
    };
    const identity: { email?: string; userId?: string } = {};
    const declared: Record<string, Value> = {};
    const emptied: string[] = [];
    for (let index = 0; index < names.length; index += 1) {
      const [name = '', value] = [names[index], values[index]];
      const column = this.columns.of(name);
      if (column === undefined) {
        if (name === '' && value !== '' && this.source.columns === undefined)
          refuse('has a value in a column without a name. Name the column, or set columns');
        continue;
      }
      const { field, isClearable } = column;
      const isIdentifier = field === 'email' || field === 'userId';
      let wire: Value | Refusal | undefined;
      // A program's null clears; in a file it means "no value".
      if (value === null && this.isProgram) {
        if (isClearable) wire = null;
        else if (!isIdentifier) refuse('cannot be cleared: leave it out', field);
      } else if (!this.nulls.has(value)) wire = column.read(value);
      else if (isClearable && this.source.emptyCells === 'clear') emptied.push(field);
      if (wire instanceof Refusal) {
        // Values of a program may be secrets, and an address is personal.
        const isShown = wire.isShown && typeof value === 'string' && !this.isProgram && !value.includes('@');
        refuse(wire.reason, field, isShown ? `'${value.slice(0, 40)}'` : '');
      } else if (wire !== undefined) {
        if (Object.hasOwn(isIdentifier ? identity : declared, field)) refuse('is there twice', field);
        if (isIdentifier) identity[field] = String(wire);
        else declared[field] = wire;
      }
    }
    const { email, userId } = identity;
    if (fault !== undefined) refuse(fault);
    else if (reasons.length === 0 && email === undefined) {
      if (userId === undefined) refuse('has neither an email nor a userId');
      else if (!canAddress(userId)) refuse(NO_ADDRESS, 'userId');
    }
    const row = { location, ...identity };
    if (reasons.length > 0) {
      this.invalid.push(row);
      return undefined;
    }
    this.count += 1;
    return emptied.length === 0 ? { ...row, values: declared } : { ...row, values: declared, emptied };
  }
}
