import { canAddress } from 'audience-core/internal';
import { problem, type Problem } from '../../messages/index.js';
import { IDENTIFIERS } from '../contact-record/fields.js';
import { isMark, rejoinedGroups } from '../contact-record/rejoin.js';
import { groupOf, type Values } from '../contact-record/values.js';
import type { DeclaredRow, DeclaredRows } from './declared-rows.js';
import { marksIn, UNCLEAR, type Before, type Entry } from './state.js';

/** What state has of a row before any request. */
export interface Match {
  readonly refused?: Problem;
  /** The entry of a row that state knows. */
  readonly known?: Entry;
  /** The entry once the row is written. */
  readonly entry: Entry;
  readonly values: Values;
  /** Declared identifiers that are new to state. */
  readonly moved: readonly (typeof IDENTIFIERS)[number][];
  /** Marked groups that this run joins. */
  readonly rejoins: readonly string[];
  /** Entries that state keeps if the row is not written. */
  readonly keep: readonly Entry[];
}

/** Compares the rows of a list with its state. */
export class Matcher {
  /** Entries of skipped rows: all entries, if a skipped row has no readable identifier. */
  readonly skipped: readonly Entry[];
  readonly #rejoined: readonly string[];
  readonly #userIds: ReadonlySet<string | undefined>;
  readonly #byEmail: Map<string | undefined, Entry>;
  readonly #byUserId: Map<string | undefined, Entry>;

  constructor(
    readonly before: Before,
    rows: DeclaredRows,
    codes: ReadonlySet<string>,
  ) {
    const { entries, hashes } = before;
    this.#rejoined = rejoinedGroups(marksIn(entries), codes);
    this.#byEmail = new Map(entries.map((entry) => [entry.email, entry]));
    this.#byUserId = new Map(entries.map((entry) => [entry.userId, entry]));
    for (const by of [this.#byEmail, this.#byUserId]) by.delete(undefined);
    const { skipped } = rows;
    const isUnnamed = skipped.some(({ email, userId }) => email === undefined && userId === undefined);
    this.skipped = isUnnamed
      ? entries
      : skipped.flatMap((row) => {
          const { email, userId } = hashes.identityOf(row);
          return this.#byUserId.get(userId) ?? this.#byEmail.get(email) ?? [];
        });
    this.#userIds = new Set(Array.from(rows, (row) => hashes.identityOf(row).userId));
  }

  match(row: DeclaredRow): Match {
    const { hashes } = this.before;
    const entry = hashes.entryOf(row);
    const byUserId = this.#byUserId.get(entry.userId);
    const byEmail = this.#byEmail.get(entry.email);
    const keep = [...new Set([byUserId, byEmail])].flatMap((found) => found ?? []);
    const fresh: Match = { entry, values: row.values, moved: [], rejoins: [], keep };
    const refuse = (why: Problem): Match => ({ ...fresh, refused: why });
    const owner = byEmail?.userId;
    if (owner !== undefined && owner !== entry.userId && this.#userIds.has(owner))
      return refuse(problem('identity.notFree', {}));
    if (keep.length > 1) return refuse(problem('identity.twoRows', {}));
    const [known] = keep;
    if (known === undefined) return fresh;
    if (entry.userId !== undefined && known.userId !== undefined && known.userId !== entry.userId)
      return refuse(problem('identity.rowUserId', {}));
    const moved = IDENTIFIERS.filter((name) => entry[name] !== undefined && entry[name] !== known[name]);
    if (moved.includes('email') && known.email !== UNCLEAR && !canAddress(row.userId))
      return refuse(problem('identity.needsUserId', {}));
    const emptied = row.emptied.filter((name) => known.values.has(name));
    const values = { ...Object.fromEntries(emptied.map((name) => [name, null])), ...row.values };
    const after = new Map((emptied.length === 0 ? entry : hashes.entryOf(row, values)).values);
    const rejoins: string[] = [];
    const changed: Values = Object.fromEntries(
      Object.entries(values).filter(([name, value]) => {
        const before = known.values.get(name);
        if (!isMark(before) || value !== true) return before !== after.get(name);
        const group = groupOf(name) ?? '';
        const isRejoined = this.#rejoined.includes(group);
        if (isRejoined) rejoins.push(group);
        else after.set(name, before);
        return isRejoined;
      }),
    );
    const written = { ...entry, values: after, ...(known.isGone === true && { isGone: true }) };
    return { known, entry: written, values: changed, moved, rejoins, keep };
  }
}
