import { canAddress } from 'audience-core/internal';
import { notFree } from '../people/identity.js';
import { differing } from '../people/values.js';
import type { Values } from '../people/values.js';
import type { SkippedRow } from './file/row-builder.js';
import type { List } from './list.js';
import type { DeclaredRow } from './rows.js';
import type { Entries } from './state.js';
import type { Entry, Hashes } from './state.js';

/** What state says of a row, before any call. */
export type Match =
  | { readonly kind: 'new'; readonly entry: Entry }
  | {
      readonly kind: 'known';
      readonly known: Entry;
      /** What state has once the row is written. */
      readonly entry: Entry;
      /** Whether the row's userId leads to the entry; else its email does. */
      readonly byUserId: boolean;
      /** Values to write. */
      readonly values: Values;
    }
  /** The row is not written, and these entries stay. */
  | { readonly kind: 'refused'; readonly reason: string; readonly keep: readonly Entry[] };

/** Compares the rows of a list with its state. */
export class Matcher {
  /** Entries of rows that are skipped: all, where a skipped row does not show which is its own. */
  readonly skipped: readonly Entry[];
  /** Hashes of all userIds that rows declare. */
  readonly #userIds: ReadonlySet<string>;

  constructor(
    readonly entries: Entries,
    readonly hashes: Hashes,
    { rows, skipped }: Pick<List, 'rows' | 'skipped'>,
  ) {
    const isUnnamed = skipped.some(({ email, userId }) => email === undefined && userId === undefined);
    this.skipped = isUnnamed ? entries.all : skipped.flatMap((row) => this.#knownOf(row) ?? []);
    // Without entries no row is known.
    const isNew = entries.all.length === 0;
    this.#userIds = new Set(
      rows.flatMap(({ userId }) => (userId === undefined || isNew ? [] : [hashes.userId(userId)])),
    );
  }

  match(row: DeclaredRow): Match {
    const entry = this.hashes.entryOf(row);
    const byUserId = entry.userId === undefined ? undefined : this.entries.byUserId.get(entry.userId);
    const byEmail = entry.email === undefined ? undefined : this.entries.byEmail.get(entry.email);
    const holder = byEmail?.userId;
    if (holder !== undefined && holder !== entry.userId && this.#userIds.has(holder))
      return refused(notFree('email'), byUserId === undefined ? [] : [byUserId]);
    if (byUserId !== undefined && byEmail !== undefined && byUserId !== byEmail)
      return refused(TWO_CONTACTS, [byUserId, byEmail]);
    const known = byUserId ?? byEmail;
    if (known === undefined) return { kind: 'new', entry };
    if (entry.userId !== undefined && known.userId !== undefined && known.userId !== entry.userId)
      return refused(ANOTHER_USER_ID, [known]);
    const isMoved = entry.email !== undefined && entry.email !== known.email;
    if (isMoved && !canAddress(row.userId)) return refused(NO_WAY_TO_EMAIL, [known]);
    const values = { ...emptiedOf(row, known), ...row.values };
    return {
      kind: 'known',
      known,
      entry: row.emptied === undefined ? entry : this.hashes.entryOf({ ...row, values }),
      byUserId: byUserId !== undefined,
      values: differing(values, this.#unchanged(values, known)),
    };
  }

  #knownOf({ email, userId }: SkippedRow): Entry | undefined {
    const byUserId = userId === undefined ? undefined : this.entries.byUserId.get(this.hashes.userId(userId));
    return byUserId ?? (email === undefined ? undefined : this.entries.byEmail.get(this.hashes.email(email)));
  }

  #unchanged(values: Values, known: Entry): Values {
    return Object.fromEntries(
      Object.entries(values).filter(
        ([name, value]) => known.values.get(name) === this.hashes.value(name, value),
      ),
    );
  }
}

/** Values that an earlier run wrote, and whose cells are empty now. */
function emptiedOf({ emptied = [] }: DeclaredRow, known: Entry): Values {
  return Object.fromEntries(emptied.filter((name) => known.values.has(name)).map((name) => [name, null]));
}

function refused(reason: string, keep: readonly Entry[]): Match {
  return { kind: 'refused', reason, keep };
}

const TWO_CONTACTS =
  'its email and its userId are two rows of the last run. Declare one of them, or correct the wrong identifier';

/** Why a row's userId is not given to its contact. */
export const ANOTHER_USER_ID = 'the contact has another userId. Correct it in the list, or in the service';

const NO_WAY_TO_EMAIL =
  "its email changes, which takes a 'userId' without an @. Add the userId with the old email first";
