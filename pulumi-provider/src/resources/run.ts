import type { AudienceApi } from 'audience-core/internal';
import type { DeclaredRows } from './contacts/declared-rows.js';
import { Declarations } from './declarations.js';
import { KnownService } from './known-service.js';
import type { Reporter } from '../messages/index.js';

export type { Reporter } from '../messages/index.js';

export interface Host {
  readonly reporter: Reporter;
  sleep(milliseconds: number): Promise<void>;
  /** Aborted when the user cancels the run. */
  readonly cancelled?: AbortSignal;
  /** An earlier address of the service, which a person names after a move. */
  readonly movedFrom?: string | undefined;
}

/** What the resources of one run share. */
export class Run {
  readonly declarations = new Declarations();
  readonly creations = new Creations();
  /** The rows that the run has read, by their checked inputs. It does not read an ignored file. */
  readonly lists = new Map<string, DeclaredRows | 'ignored'>();
  readonly known: KnownService;

  constructor(
    readonly client: AudienceApi,
    readonly host: Host,
  ) {
    this.known = new KnownService(client, host.reporter);
  }
}

/** The contacts that a run creates by events: each one once. */
class Creations {
  readonly #byKey = new Map<string, Promise<boolean>>();
  readonly #announced = new Set<string>();

  /** Notes that a plan tells of a creation; `false` where another plan of the run has. */
  announce(keys: readonly string[]): boolean {
    const isFirst = !keys.some((key) => this.#announced.has(key));
    for (const key of keys) this.#announced.add(key);
    return isFirst;
  }

  /** Creates a contact; `undefined` where another resource or row has, which this waits for. */
  async once<Result>(keys: readonly string[], create: () => Promise<Result>): Promise<Result | undefined> {
    for (const key of keys) if ((await this.#byKey.get(key)) === true) return undefined;
    // Another one may have begun during the wait for a creation that failed.
    if (keys.some((key) => this.#byKey.has(key))) return this.once(keys, create);
    const creation = create();
    const isCreated = creation.then(
      () => true,
      () => false,
    );
    for (const key of keys) this.#byKey.set(key, isCreated);
    if (!(await isCreated)) for (const key of keys) this.#byKey.delete(key);
    return creation;
  }
}
