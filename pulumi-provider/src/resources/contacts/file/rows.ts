import type { Resource, Declaration } from '../../declarations.js';
import type { Values } from '../../people/values.js';

/** Where a contact is declared, and its identifiers. */
export interface RowIdentity {
  /** For messages: `line 7` of a file, `contacts[3]` of an array. */
  readonly location: string;
  readonly email?: string | undefined;
  readonly userId?: string | undefined;
}

/** What the rows of one source share: a large list keeps as little as possible in each. */
export interface RowList {
  readonly resource: Resource;
  /** Rows with fields that are emptied. */
  readonly emptied: Map<DeclaredRow, readonly string[]>;
  locationOf(number: number): string;
}

/** One declared contact of a list. */
export class DeclaredRow implements RowIdentity, Declaration {
  /** @param values values on the wire by flat name: `firstName`, `subscriptionGroups.<id>`; `null` clears. */
  constructor(
    private readonly list: RowList,
    private readonly number: number,
    public email: string | undefined,
    public userId: string | undefined,
    public values: Values,
  ) {}

  /** Fields with an empty cell, where `emptyCells` is `clear`: a value that an earlier run wrote is cleared. */
  get emptied(): readonly string[] {
    return this.list.emptied.get(this) ?? [];
  }

  /** Adds what another row declares of the same contact. */
  join(other: DeclaredRow): void {
    const { email, userId, values } = other;
    this.email ??= email;
    this.userId ??= userId;
    this.values = { ...this.values, ...values };
    this.list.emptied.set(this, [...this.emptied, ...other.emptied]);
  }

  get location(): string {
    return this.list.locationOf(this.number);
  }

  get resource(): Resource {
    return this.list.resource;
  }
}

/** The source for messages: `'people.csv'`, or `the array 'contacts'`. */
export function nameOfSource({ file }: { readonly file?: string | undefined }): string {
  return file === undefined ? "the array 'contacts'" : `'${file}'`;
}
