import { canAddress } from 'audience-core/internal';
import { problem, type Problem } from '../../messages/index.js';
import { IDENTIFIERS } from '../contact-record/fields.js';
import type { Identity } from '../contact-record/identity.js';
import { isMark, rejoinedGroups } from '../contact-record/rejoin.js';
import type { Upsert } from '../contact-record/upsert.js';
import { groupOf, type Value, type Values } from '../contact-record/values.js';
import type { DeclaredRow, DeclaredRows } from './declared-rows.js';
import { marksIn, type Before, type Entry } from './state.js';

/** What state has of a row before any request. */
export interface Match {
  readonly refused?: Problem;
  /** The entry of a row that state knows. */
  readonly known?: Entry | undefined;
  /** Whether state has the declared userId. */
  readonly hasUserId: boolean;
  /** Whether the last run found nobody to unsubscribe. */
  readonly isNobody: boolean;
  /** The entry once the row is written. */
  readonly entry: Entry;
  /** What is to be written. */
  readonly values: Values;
  /** Declared identifiers that are new to state. */
  readonly moved: readonly (typeof IDENTIFIERS)[number][];
  /** Marked groups that this run joins. */
  readonly rejoins: readonly string[];
  /** Entries that state keeps if the row is not written, its own first. */
  readonly keep: readonly Entry[];
}

/** Compares the rows of a list with its state. */
export class Matcher {
  /** Entries of skipped rows: all entries, if a skipped row has no readable identifier. */
  readonly skipped: readonly Entry[];
  readonly #rejoined: readonly string[];
  /** The declared email of each declared userId, of rows that are left out too. */
  readonly #emails: ReadonlyMap<string | undefined, string | undefined>;
  readonly #byEmail: Lookup;
  readonly #byUserId: Lookup;
  readonly #nobody: Lookup;

  constructor(
    readonly before: Before,
    rows: DeclaredRows,
    codes: ReadonlySet<string>,
  ) {
    const { entries, hashes } = before;
    this.#rejoined = rejoinedGroups(marksIn(entries), codes);
    const { nobody = [], known = [] } = Object.groupBy(entries, ({ absence }) =>
      absence === 'nobody' ? 'nobody' : 'known',
    );
    [this.#byEmail, this.#byUserId] = [by('email', known), by('userId', known)];
    this.#nobody = new Map([...by('email', nobody), ...by('userId', nobody)]);
    const isUnnamed = rows.skipped.some((row) => IDENTIFIERS.every((name) => row[name] === undefined));
    this.skipped = isUnnamed
      ? entries
      : rows.skipped.flatMap((row) => {
          const { email, userId } = hashes.identityOf(row);
          const all = [this.#byUserId.get(userId), this.#byEmail.get(email), this.nobodyOf(row)];
          return all.flatMap((entry) => entry ?? []);
        });
    this.#emails = new Map(
      [...rows, ...rows.skipped]
        .map((row) => hashes.identityOf(row))
        .map(({ email, userId }) => [userId, email]),
    );
  }

  /** Whether an entry's own row declares another email than the entry has. */
  isMoved({ email, userId }: Entry): boolean {
    return userId !== undefined && this.#emails.has(userId) && this.#emails.get(userId) !== email;
  }

  /** The entry of a row whose contact nobody has met. */
  nobodyOf(row: Identity): Entry | undefined {
    const { email, userId } = this.before.hashes.identityOf(row);
    return this.#nobody.get(userId) ?? this.#nobody.get(email);
  }

  match(row: DeclaredRow): Match {
    const identity = this.before.hashes.identityOf(row);
    const [byUserId, byEmail] = [this.#byUserId.get(identity.userId), this.#byEmail.get(identity.email)];
    const owner = byEmail?.userId;
    const isOthers = owner !== undefined && owner !== identity.userId && this.#emails.has(owner);
    const isTwo = byUserId !== undefined && byEmail !== undefined && byUserId !== byEmail;
    const known = byUserId ?? (isOthers ? undefined : byEmail);
    const { values, entry, keep, rejoins } = this.#compare(row, known);
    const moved = IDENTIFIERS.filter(
      (name) =>
        !row.isBad && known !== undefined && identity[name] !== undefined && identity[name] !== known[name],
    );
    const refusals: readonly (readonly [boolean, Problem])[] = [
      [isOthers, problem('identity.notFree', {})],
      [isTwo, problem('identity.twoRows', {})],
      [moved.includes('userId') && known?.userId !== undefined, problem('identity.rowUserId', {})],
      [moved.includes('email') && !canAddress(row.userId), problem('identity.needsUserId', {})],
    ];
    const [, refused] = refusals.find(([isRefused]) => isRefused) ?? [];
    return {
      ...(refused !== undefined && { refused }),
      ...{ known, entry, values, moved, rejoins },
      hasUserId: identity.userId !== undefined && known?.userId === identity.userId,
      isNobody: known === undefined && this.nobodyOf(row) !== undefined,
      keep: [...keep, ...(isTwo ? [byEmail] : [])],
    };
  }

  /** The values that differ from an entry, and the entry before and after they are written. */
  #compare(row: DeclaredRow, known: Entry | undefined) {
    const { hashes } = this.before;
    const emptied = row.emptied.filter((name) => known?.values.has(name));
    const declared: Values = { ...Object.fromEntries(emptied.map((name) => [name, null])), ...row.values };
    const after = new Map(hashes.entryOf(row, declared).values);
    const rejoins: string[] = [];
    const differs = ([name, value]: [string, Value]): boolean => {
      const before = known?.values.get(name);
      if (!isMark(before) || value !== true) return before !== after.get(name);
      const group = groupOf(name) ?? '';
      const isRejoined = this.#rejoined.includes(group);
      if (isRejoined) rejoins.push(group);
      else after.set(name, before);
      return isRejoined;
    };
    const values: Values = Object.fromEntries(Object.entries(declared).filter(differs));
    const { email, userId, absence } = known ?? {};
    const own = row.isBad && known !== undefined ? { email, userId } : hashes.identityOf(row);
    const others = row.isBad ? known?.values : undefined;
    const entry: Entry = { ...own, values: new Map([...(others ?? []), ...after]), absence };
    // A value that is declared no more leaves the entry, or it would count as written when it is declared again.
    const kept = [...(known?.values ?? [])].filter(([name]) => row.isBad || after.has(name));
    return { values, entry, rejoins, keep: known === undefined ? [] : [{ ...known, values: new Map(kept) }] };
  }
}

/** Entries by the hash of an identifier. */
function by(name: (typeof IDENTIFIERS)[number], entries: readonly Entry[]): Lookup {
  return new Map(
    entries.flatMap((entry) => (entry[name] === undefined ? [] : [[entry[name], entry] as const])),
  );
}

type Lookup = ReadonlyMap<string | undefined, Entry>;

/** What is asked of the service for a row. */
export function wantedOf({ email, userId, isBad }: DeclaredRow, match: Match): Upsert {
  const { known, hasUserId, moved, rejoins, values } = match;
  const of = {
    identity: { email, userId },
    isKnown: known !== undefined,
    hasUserId,
    keepsIdentifiers: isBad,
  };
  return { ...of, moved, rejoins, values };
}
