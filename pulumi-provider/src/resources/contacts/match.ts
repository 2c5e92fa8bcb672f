import { canAddress } from 'audience-core/internal';
import { problem, type Problem } from '../../messages/index.js';
import { IDENTIFIERS } from '../contact-record/fields.js';
import type { Identity } from '../contact-record/identity.js';
import type { Upsert } from '../contact-record/upsert.js';
import type { Value } from '../contact-record/values.js';
import { locationOf } from '../declarations.js';
import type { DeclaredRow, DeclaredRows } from './declared-rows.js';
import { idsOf, LEFT, unsure, type Before, type Entry, type Hashed } from './state.js';

/** A row beside the entry that state has of it. */
interface Compared {
  /** The row's entry; an entry of *nobody* is no knowledge. */
  readonly known: Entry | undefined;
  /** Values that differ from the entry, or are `?`. */
  readonly values: Readonly<Record<string, Value>>;
  /** Declared identifiers that differ from the entry. */
  readonly moved: readonly (typeof IDENTIFIERS)[number][];
  /** What state keeps while the row is not written: the entry with `?` for these values. */
  readonly keep: readonly Entry[];
  /** Whether the last run found nobody under this row, and it still creates nobody. */
  readonly isNobody: boolean;
}

/** What is to be done with a row, before any request. */
export type Match = Compared &
  (
    | { readonly todo: 'nothing'; readonly entry: Entry }
    | { readonly todo: 'refuse'; readonly problem: Problem }
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
  /** The declared userIds, of rows that are left out too. */
  readonly #userIds: ReadonlySet<string | undefined>;
  readonly #byId: ReadonlyMap<string | undefined, Entry>;

  constructor(
    readonly before: Before,
    { rows, skipped }: DeclaredRows,
    private readonly event?: Upsert['event'],
  ) {
    const { entries, hashes } = before;
    this.#byId = new Map(entries.flatMap((entry) => idsOf(entry).map((id) => [id, entry] as const)));
    this.skipped = skipped.flatMap((row) =>
      idsOf(hashes.identityOf(row)).flatMap((id) => this.#byId.get(id) ?? []),
    );
    this.#userIds = new Set([...rows, ...skipped].map((row) => hashes.identityOf(row).userId));
  }

  /** The entry of a row whose contact was never found. */
  nobodyOf(row: Identity): Entry | undefined {
    const entries = idsOf(this.before.hashes.identityOf(row)).map((id) => this.#byId.get(id));
    return entries.find((entry) => entry?.absence === 'nobody');
  }

  /** The entry that state has of an identifier; *nobody* is no knowledge. */
  #knownBy(id: string | undefined): Entry | undefined {
    const entry = this.#byId.get(id);
    return entry?.absence === 'nobody' ? undefined : entry;
  }

  match(row: DeclaredRow): Match {
    const own = this.before.hashes.identityOf(row);
    const byUserId = this.#knownBy(own.userId);
    const byEmail = this.#knownBy(own.email);
    const ownerOfEmail = byEmail?.userId;
    const isOfOtherRow =
      ownerOfEmail !== undefined && ownerOfEmail !== own.userId && this.#userIds.has(ownerOfEmail);
    const known = byUserId ?? (isOfOtherRow ? undefined : byEmail);
    const compared = this.#compare(row, own, known);
    const { after, values, moved } = compared;
    const isTwo = byUserId !== undefined && byEmail !== undefined && byUserId !== byEmail;
    const code = isOfOtherRow
      ? 'identity.notFree'
      : isTwo
        ? 'identity.twoRows'
        : movedProblem(row, moved, known);
    if (code !== undefined) {
      const keep = isTwo ? [...compared.keep, byEmail] : compared.keep;
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
    const keep =
      known === undefined ? [] : [unsure({ ...known, values: stillDeclared }, Object.keys(values))];
    const createsNobody = row.values['subscribed'] === false || this.event === undefined;
    const isNobody = known === undefined && createsNobody && this.nobodyOf(row) !== undefined;
    return { known, keep, values, moved, isNobody, after };
  }
}

/** Why a changed identifier is not written, as state alone shows. */
function movedProblem(row: Identity, moved: Compared['moved'], known: Compared['known']) {
  if (moved.includes('userId') && known?.userId !== undefined) return 'identity.rowUserId';
  return moved.includes('email') && !canAddress(row.userId) ? 'identity.needsUserId' : undefined;
}
