import * as z from 'zod';
import { readAs } from './read-as.js';
import { SandboxError } from './sandbox-error.js';

/** Most snapshots that are kept. */
const MOST_SNAPSHOTS = 100;

export const newSnapshotSchema = z.strictObject({
  name: z
    .string()
    .min(1, 'must not be empty')
    .max(200)
    .optional()
    .describe('What to call it; its id unless given.'),
});

export const snapshotSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** The sandbox's time at which it was taken, to which it goes back. */
  time: z.string(),
  emails: z.int(),
  events: z.int(),
  contacts: z.int(),
});

/** A snapshot, as it is listed. */
export type Snapshot = z.infer<typeof snapshotSchema>;

/** Snapshots of a whole sandbox: the account with mails, events, log and keys; clock, faults, rate limit, profile. */
export class Snapshots {
  readonly #taken = new Map<string, { snapshot: Snapshot; restore: () => void }>();
  #last = 0;

  /** @param remember tells what is there, and gives the function that brings all of it back */
  constructor(
    private readonly remember: () => { about: Omit<Snapshot, 'id' | 'name'>; restore: () => void },
  ) {}

  /** Takes one. @throws SandboxError 400 for a name that cannot be used, 409 when there are too many. */
  take(name?: string): Snapshot {
    readAs(newSnapshotSchema, { name });
    if (this.#taken.size >= MOST_SNAPSHOTS) {
      throw new SandboxError(
        `There are ${MOST_SNAPSHOTS} snapshots, which is the most; delete one first.`,
        409,
      );
    }
    this.#last += 1;
    const id = `snapshot-${this.#last}`;
    const { about, restore } = this.remember();
    const snapshot = { id, name: name ?? id, ...about };
    this.#taken.set(id, { snapshot, restore });
    return { ...snapshot };
  }

  list(): Snapshot[] {
    return [...this.#taken.values()].map(({ snapshot }) => ({ ...snapshot }));
  }

  /** Brings everything back to how it was then; the snapshot stays. @throws SandboxError 404. */
  restore(id: string): Snapshot {
    const { snapshot, restore } = this.#at(id);
    restore();
    return { ...snapshot };
  }

  /** @throws SandboxError 404 */
  remove(id: string): void {
    this.#at(id);
    this.#taken.delete(id);
  }

  #at(id: string) {
    const taken = this.#taken.get(id);
    if (taken !== undefined) return taken;
    const ids = [...this.#taken.keys()];
    throw new SandboxError(
      `There is no snapshot '${id}'; ${ids.length === 0 ? 'there are none' : `there are ${ids.join(', ')}`}.`,
      404,
    );
  }
}
