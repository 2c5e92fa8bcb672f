import { canAddress } from 'audience-core/internal';
import { notFree } from '../people/identity.js';
import { differing } from '../people/values.js';
import type { Values } from '../people/values.js';
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
  /** Hashes of all userIds that rows declare. */
  readonly #userIds: ReadonlySet<string>;

  constructor(
    readonly entries: Entries,
    readonly hashes: Hashes,
    rows: readonly DeclaredRow[],
  ) {
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
    const values = differing(row.values, this.#unchanged(row, known));
    return { kind: 'known', known, entry, byUserId: byUserId !== undefined, values };
  }

  #unchanged({ values }: DeclaredRow, known: Entry): Values {
    return Object.fromEntries(
      Object.entries(values).filter(
        ([name, value]) => known.values.get(name) === this.hashes.value(name, value),
      ),
    );
  }
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
