import { canAddress } from 'audience-core/internal';
import { problem, type Code, type Problem } from '../../messages/index.js';
import { IDENTIFIERS } from '../contact-record/fields.js';
import type { Identity } from '../contact-record/identity.js';
import type { Upsert } from '../contact-record/upsert.js';
import type { Value } from '../contact-record/values.js';
import { locationOf } from '../declarations.js';
import type { DeclaredRow, DeclaredRows } from './declared-rows.js';
import { LEFT, unsure, type Before, type Entry, type Hashed } from './state.js';

/** A row beside the entry that state has of it. */
interface Compared {
  /** The row's entry; an entry of *nobody* is no knowledge. */
  readonly known: Entry | undefined;
  /** Values that differ from the entry, or are `?`. */
  readonly values: Readonly<Record<string, Value>>;
  /** Declared identifiers that differ from the entry. */
  readonly moved: readonly (typeof IDENTIFIERS)[number][];
  /** The entry without what is declared no more. */
  readonly kept: Entry | undefined;
  /** Whether the last run found nobody under this row, and it still creates nobody. */
  readonly isNobody: boolean;
}

/** What is to be done with a row, before any request. */
export type Match = Compared &
  (
    | { readonly todo: 'nothing'; readonly entry: Entry }
    | { readonly todo: 'refuse'; readonly problem: Problem; readonly keep: readonly Entry[] }
    | {
        readonly todo: 'write';
        readonly wanted: Upsert;
        /** The entry once the row is written. */
        readonly entry: Entry;
      }
  );

/** Compares the rows of a list with its state. */
export class Matcher {
  /** Entries of rows that `consent` leaves out. */
  readonly skipped: readonly Entry[];
  /** The declared email of each declared userId, of rows that are left out too. */
  readonly #emails: ReadonlyMap<string | undefined, string | undefined>;
  readonly #byEmail: Lookup;
  readonly #byUserId: Lookup;
  readonly #nobody: Lookup;

  constructor(
    readonly before: Before,
    { rows, skipped }: DeclaredRows,
    private readonly event?: Upsert['event'],
  ) {
    const { entries, hashes } = before;
    const known = entries.filter(({ absence }) => absence !== 'nobody');
    const nobody = entries.filter(({ absence }) => absence === 'nobody');
    this.#byEmail = by('email', known);
    this.#byUserId = by('userId', known);
    this.#nobody = new Map([...by('email', nobody), ...by('userId', nobody)]);
    this.skipped = skipped.flatMap((row) => {
      const { email, userId } = hashes.identityOf(row);
      const all = [this.#byUserId.get(userId), this.#byEmail.get(email), this.nobodyOf(row)];
      return all.flatMap((entry) => entry ?? []);
    });
    const declared = [...rows, ...skipped].map((row) => hashes.identityOf(row));
    this.#emails = new Map(declared.map(({ email, userId }) => [userId, email]));
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
    const byUserId = this.#byUserId.get(own.userId);
    const byEmail = this.#byEmail.get(own.email);
    const ownerOfEmail = byEmail?.userId;
    const isOfOtherRow =
      ownerOfEmail !== undefined && ownerOfEmail !== own.userId && this.#emails.has(ownerOfEmail);
    const known = byUserId ?? (isOfOtherRow ? undefined : byEmail);
    const compared = this.#compare(row, own, known);
    const { after, kept, values, moved } = compared;
    const isTwo = byUserId !== undefined && byEmail !== undefined && byUserId !== byEmail;
    const code = refusalOf({ isOfOtherRow, isTwo, known, moved, row });
    if (code !== undefined) {
      const tried = kept && unsure(kept, Object.keys(values));
      const keep = [tried, isTwo && !isOfOtherRow ? byEmail : undefined].flatMap((entry) => entry ?? []);
      return { ...compared, todo: 'refuse', problem: problem(code, {}), keep };
    }
    const isSame = known !== undefined && Object.keys(values).length + moved.length === 0;
    // Who is gone keeps an identifier that the row declares no more: the contact is known by it.
    const isGone = known?.absence === 'gone';
    if (isSame) return { ...compared, todo: 'nothing', entry: { ...(isGone ? known : own), values: after } };
    const wanted: Upsert = {
      identity: { email: row.email, userId: row.userId },
      values,
      isKnown: known !== undefined,
      hasUserId: own.userId !== undefined && known?.userId === own.userId,
      moved,
      event: this.event,
      where: locationOf(row),
    };
    return { ...compared, todo: 'write', wanted, entry: { ...own, values: after } };
  }

  /** The values that differ from an entry, and the entry's values once they are written. */
  #compare(row: DeclaredRow, own: Hashed, known: Entry | undefined) {
    const { hashes } = this.before;
    const after = new Map<string, string>();
    const values: Record<string, Value> = {};
    for (const [name, value] of Object.entries(row.values)) {
      const before = known?.values.get(name);
      const isLeft = value === true && before === LEFT;
      const hash = isLeft ? LEFT : hashes.value(name, value);
      after.set(name, hash);
      if (before !== hash) values[name] = value;
    }
    const moved = IDENTIFIERS.filter(
      (name) => known !== undefined && own[name] !== undefined && own[name] !== known[name],
    );
    // A value that is declared no more leaves the entry, or it would count as written when it is declared again.
    const stillDeclared = new Map([...(known?.values ?? [])].filter(([name]) => after.has(name)));
    const kept = known && { ...known, values: stillDeclared };
    const createsNobody = row.values['subscribed'] === false || this.event === undefined;
    const isNobody = known === undefined && createsNobody && this.nobodyOf(row) !== undefined;
    return { known, kept, values, moved, isNobody, after };
  }
}

/** Why a row is not written, as state alone shows. */
function refusalOf({
  isOfOtherRow,
  isTwo,
  known,
  moved,
  row,
}: Pick<Compared, 'known' | 'moved'> & {
  readonly isOfOtherRow: boolean;
  readonly isTwo: boolean;
  readonly row: Identity;
}): (Code & `identity.${string}`) | undefined {
  if (isOfOtherRow) return 'identity.notFree';
  if (isTwo) return 'identity.twoRows';
  if (moved.includes('userId') && known?.userId !== undefined) return 'identity.rowUserId';
  return moved.includes('email') && !canAddress(row.userId) ? 'identity.needsUserId' : undefined;
}

/** Entries by the hash of an identifier. */
function by(name: (typeof IDENTIFIERS)[number], entries: readonly Entry[]): Lookup {
  return new Map(
    entries.flatMap((entry) => (entry[name] === undefined ? [] : [[entry[name], entry] as const])),
  );
}

type Lookup = ReadonlyMap<string | undefined, Entry>;
