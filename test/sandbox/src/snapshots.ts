import * as z from 'zod/mini';
import { readAs } from './read-as.js';
import { SandboxError } from './sandbox-error.js';

/** Most snapshots that are kept. */
const MOST_SNAPSHOTS = 100;

export const newSnapshotSchema = z.strictObject({
  name: z
    .optional(z.string().check(z.minLength(1, 'must not be empty'), z.maxLength(200)))
    .check(z.describe('What to call it; its id unless given.')),
});

export const snapshotSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** The sandbox's time when the snapshot was created; restoring sets the clock to it. */
  time: z.string(),
  emails: z.int(),
  events: z.int(),
  contacts: z.int(),
});

/** A snapshot, as it is listed. */
export type Snapshot = z.infer<typeof snapshotSchema>;

/** Snapshots of a whole sandbox: the account with mails, events, log and keys; clock, faults, rate limit, profile. */
export class Snapshots {
  readonly #all = new Map<string, { snapshot: Snapshot; restore: () => void }>();
  #last = 0;

  /** @param remember describes the present state, and returns the function that restores it */
  constructor(
    private readonly remember: () => { about: Omit<Snapshot, 'id' | 'name'>; restore: () => void },
  ) {}

  /** Creates one. @throws SandboxError 400 for a name that cannot be used, 409 when there are too many. */
  create(name?: string): Snapshot {
    readAs(newSnapshotSchema, { name });
    if (this.#all.size >= MOST_SNAPSHOTS) {
      throw new SandboxError({ code: 'too_many_snapshots', limit: MOST_SNAPSHOTS }, 409);
    }
    this.#last += 1;
    const id = `snapshot-${this.#last}`;
    const { about, restore } = this.remember();
    const snapshot = { id, name: name ?? id, ...about };
    this.#all.set(id, { snapshot, restore });
    return { ...snapshot };
  }

  list(): Snapshot[] {
    return [...this.#all.values()].map(({ snapshot }) => ({ ...snapshot }));
  }

  /** Restores everything to how it was then; the snapshot stays. @throws SandboxError 404. */
  restore(id: string): Snapshot {
    const { snapshot, restore } = this.#at(id);
    restore();
    return { ...snapshot };
  }

  /** @throws SandboxError 404 */
  remove(id: string): void {
    this.#at(id);
    this.#all.delete(id);
  }

  #at(id: string) {
    const found = this.#all.get(id);
    if (found !== undefined) return found;
    const ids = [...this.#all.keys()];
    throw new SandboxError({ code: 'no_snapshot', id, known: ids.join(', ') || 'none' }, 404);
  }
}
