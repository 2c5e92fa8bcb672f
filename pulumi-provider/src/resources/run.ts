import type { AudienceApi } from 'audience-core/internal';
import type { DeclaredRows } from './contacts/declared-rows.js';
import { Declarations } from './declarations.js';
import { codeOf, type Marks } from './contact-record/rejoin.js';
import { KnownService } from './known-service.js';
import { problem, type Named, type Reporter } from '../messages/index.js';

export type { Reporter } from '../messages/index.js';

export interface Host {
  readonly reporter: Reporter;
  sleep(milliseconds: number): Promise<void>;
  /** Aborted when the user cancels the run. */
  readonly cancelled?: AbortSignal;
  /** Codes of AUDIENCE_REJOIN: which contacts join a group in this run though they may have left it. */
  readonly rejoinCodes?: ReadonlySet<string>;
}

/** What the resources of one run share. */
export class Run {
  readonly declarations = new Declarations();
  readonly creations = new Creations();
  /** The rows that the run has read, by their checked inputs. It does not read an ignored file. */
  readonly lists = new Map<string, DeclaredRows | 'ignored'>();
  /** From how many contacts each list takes something. */
  readonly removals = new Map<string, number>();
  readonly known: KnownService;
  readonly rejoinCodes: ReadonlySet<string>;
  readonly #openCodes: Set<string>;

  constructor(
    readonly client: AudienceApi,
    readonly host: Host,
  ) {
    this.known = new KnownService(client, host.reporter);
    this.rejoinCodes = host.rejoinCodes ?? new Set();
    this.#openCodes = new Set(this.rejoinCodes);
  }

  /** Says, once in a run, of each code that it does not fit a resource, unless it has fitted an earlier one. */
  tellUnfitCodes(of: string | Named, marks: Marks): void {
    for (const [group, all] of marks) this.#openCodes.delete(codeOf(group, all));
    const codes = [...this.#openCodes];
    if (codes.length > 0) this.host.reporter.warn(problem('rejoin.unfit', { codes, of }));
    this.#openCodes.clear();
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
