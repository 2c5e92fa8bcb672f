import { canAddress } from 'audience-core/internal';
import { problem, type Code, type Problem } from '../../messages/index.js';
import { IDENTIFIERS } from '../contact-record/fields.js';
import type { Identity } from '../contact-record/identity.js';
import type { Upsert } from '../contact-record/upsert.js';
import type { Value } from '../contact-record/values.js';
import type { DeclaredRow, DeclaredRows } from './declared-rows.js';
import { LEFT, type Before, type Entry } from './state.js';

/** What state has of a row before any request, and what is to be written. */
export interface Match extends Upsert {
  readonly refused?: Problem;
  /** The entry of a row that state knows. */
  readonly known?: Entry | undefined;
  /** Whether the last run found nobody to unsubscribe, and the row still says "no mail". */
  readonly isNobody: boolean;
  /** The entry once the row is written. */
  readonly entry: Entry;
  readonly moved: readonly (typeof IDENTIFIERS)[number][];
  /** Entries that state keeps if the row is not written, its own first. */
  readonly keep: readonly Entry[];
}

/** Compares the rows of a list with its state. */
export class Matcher {
  /** Entries of skipped rows. */
  readonly skipped: readonly Entry[];
  /** The declared email of each declared userId, of rows that are left out too. */
  readonly #emails: ReadonlyMap<string | undefined, string | undefined>;
  readonly #byEmail: Lookup;
  readonly #byUserId: Lookup;
  readonly #nobody: Lookup;

  constructor(
    readonly before: Before,
    rows: DeclaredRows,
  ) {
    const { entries, hashes } = before;
    const { nobody = [], known = [] } = Object.groupBy(entries, ({ absence }) =>
      absence === 'nobody' ? 'nobody' : 'known',
    );
    [this.#byEmail, this.#byUserId] = [by('email', known), by('userId', known)];
    this.#nobody = new Map([...by('email', nobody), ...by('userId', nobody)]);
    this.skipped = rows.skipped.flatMap((row) => {
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

  /** The entry of a row whose contact was never found. */
  nobodyOf(row: Identity): Entry | undefined {
    if (this.#nobody.size === 0) return undefined;
    const { email, userId } = this.before.hashes.identityOf(row);
    return this.#nobody.get(userId) ?? this.#nobody.get(email);
  }

  match(row: DeclaredRow): Match {
    const own = this.before.hashes.identityOf(row);
    const [byUserId, byEmail] = [this.#byUserId.get(own.userId), this.#byEmail.get(own.email)];
    const owner = byEmail?.userId;
    const isOthers = owner !== undefined && owner !== own.userId && this.#emails.has(owner);
    const isTwo = byUserId !== undefined && byEmail !== undefined && byUserId !== byEmail;
    const known = byUserId ?? (isOthers ? undefined : byEmail);
    const { keep, ...compared } = this.#compare(row, own, known);
    const moved = IDENTIFIERS.filter(
      (name) => known !== undefined && own[name] !== undefined && own[name] !== known[name],
    );
    const refusal = (): Code | undefined => {
      if (isOthers) return 'identity.notFree';
      if (isTwo) return 'identity.twoRows';
      if (moved.includes('userId') && known?.userId !== undefined) return 'identity.rowUserId';
      return moved.includes('email') && !canAddress(row.userId) ? 'identity.needsUserId' : undefined;
    };
    const code = refusal();
    return {
      ...compared,
      ...(code !== undefined && { refused: problem(code, {}) }),
      ...{ known, moved },
      identity: { email: row.email, userId: row.userId },
      isKnown: known !== undefined,
      hasUserId: own.userId !== undefined && known?.userId === own.userId,
      isNobody: known === undefined && row.values['subscribed'] === false && this.nobodyOf(row) !== undefined,
      keep: isTwo ? [...keep, byEmail] : keep,
    };
  }

  /** The values that differ from an entry, and the entry before and after they are written. */
  #compare(row: DeclaredRow, own: Pick<Entry, 'email' | 'userId'>, known: Entry | undefined) {
    const { hashes } = this.before;
    const after = new Map<string, string>();
    const values: Record<string, Value> = {};
    for (const [name, value] of Object.entries(row.values)) {
      const before = known?.values.get(name);
      const isLeft = value === true && before === LEFT;
      after.set(name, isLeft ? LEFT : hashes.value(name, value));
      if (before !== after.get(name)) values[name] = value;
    }
    const entry: Entry = { ...own, values: after, absence: known?.absence };
    if (known === undefined) return { values, entry, keep: [] };
    // A value that is declared no more leaves the entry, or it would count as written when it is declared again.
    const kept = new Map([...known.values].filter(([name]) => after.has(name)));
    return { values, entry, keep: [{ ...known, values: kept }] };
  }
}

/** Entries by the hash of an identifier. */
function by(name: (typeof IDENTIFIERS)[number], entries: readonly Entry[]): Lookup {
  return new Map(
    entries.flatMap((entry) => (entry[name] === undefined ? [] : [[entry[name], entry] as const])),
  );
}

type Lookup = ReadonlyMap<string | undefined, Entry>;
