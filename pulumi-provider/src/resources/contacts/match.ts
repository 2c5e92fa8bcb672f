import { canAddress } from 'audience-core/internal';
import { notFree } from '../contact-record/identity.js';
import type { Values } from '../contact-record/values.js';
import type { List } from './list.js';
import type { DeclaredRow } from './file/read.js';
import type { Before, Entry } from './state.js';

/** What state has of a row before any request. State keeps the entries of `keep` if the row is not written. */
export type Match = { readonly keep: readonly Entry[] } & (
  | { readonly kind: 'new'; readonly entry: Entry }
  | {
      readonly kind: 'known';
      readonly known: Entry;
      readonly entry: Entry;
      /** Whether the entry has the row's userId; else it has its email. */
      readonly byUserId: boolean;
      readonly values: Values;
    }
  | { readonly kind: 'refused'; readonly reason: string }
);

/** Compares the rows of a list with its state. */
export class Matcher {
  /** Entries of skipped rows: all entries, if a skipped row has no readable identifier. */
  readonly skipped: readonly Entry[];
  readonly #userIds: ReadonlySet<string | undefined>;
  readonly #found: Set<Entry>;

  constructor(
    readonly before: Before,
    { rows, reading: { skipped } }: List,
  ) {
    const { entries, hashes, byUserId, byEmail } = before;
    const isUnnamed = skipped.some(({ email, userId }) => email === undefined && userId === undefined);
    this.skipped = isUnnamed
      ? entries
      : skipped.flatMap((row) => {
          const { email, userId } = hashes.identityOf(row);
          return byUserId.get(userId) ?? byEmail.get(email) ?? [];
        });
    this.#found = new Set(this.skipped);
    this.#userIds = new Set(this.isNew ? [] : rows.map((row) => hashes.identityOf(row).userId));
  }

  get isNew(): boolean {
    return this.before.entries.length === 0;
  }

  /** How many entries have no matched or skipped row. */
  get notListedAnyMore(): number {
    return this.before.entries.length - this.#found.size;
  }

  match(row: DeclaredRow): Match {
    const match = this.#match(row);
    for (const entry of match.keep) this.#found.add(entry);
    return match;
  }

  #match(row: DeclaredRow): Match {
    const { hashes } = this.before;
    const entry = hashes.entryOf(row);
    const byUserId = this.before.byUserId.get(entry.userId);
    const byEmail = this.before.byEmail.get(entry.email);
    const owner = byEmail?.userId;
    if (owner !== undefined && owner !== entry.userId && this.#userIds.has(owner))
      return { kind: 'refused', reason: notFree('email'), keep: byUserId === undefined ? [] : [byUserId] };
    if (byUserId !== undefined && byEmail !== undefined && byUserId !== byEmail)
      return { kind: 'refused', reason: TWO_CONTACTS, keep: [byUserId, byEmail] };
    const known = byUserId ?? byEmail;
    if (known === undefined) return { kind: 'new', entry, keep: [] };
    const keep = [known];
    if (entry.userId !== undefined && known.userId !== undefined && known.userId !== entry.userId)
      return { kind: 'refused', reason: ANOTHER_USER_ID, keep };
    const isMoved = entry.email !== undefined && entry.email !== known.email;
    if (isMoved && !canAddress(row.userId)) return { kind: 'refused', reason: NO_WAY_TO_EMAIL, keep };
    const emptied = row.emptied.filter((name) => known.values.has(name));
    const values = { ...Object.fromEntries(emptied.map((name) => [name, null])), ...row.values };
    const written = emptied.length === 0 ? entry : hashes.entryOf(row, values);
    const changed = Object.entries(values).filter(
      ([name]) => known.values.get(name) !== written.values.get(name),
    );
    return {
      kind: 'known',
      known,
      entry: written,
      byUserId: byUserId !== undefined,
      values: Object.fromEntries(changed),
      keep,
    };
  }
}

const TWO_CONTACTS =
  'its email and its userId are two rows of the last run. Declare one of them, or correct the wrong identifier';

export const ANOTHER_USER_ID = 'the contact has another userId. Correct it in the list, or in the service';

const NO_WAY_TO_EMAIL =
  "its email changes, so the contact is found only by a 'userId' without an @. Add the userId with the old email first";
