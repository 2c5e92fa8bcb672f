import type { TransactionalEmail } from 'audience-core';
import type { AudienceApi } from 'audience-core/internal';

/** For how long a process keeps what it has read, in milliseconds: each batch of a loop would read it again. */
const KEPT_MS = 60_000;

/** A page that failed so often in one run is not read again: a service that is down would delay every item. */
const MOST_FAILURES = 3;

interface Kept {
  readonly since: number;
  readonly byId: Map<string, TransactionalEmail>;
}

/** What was read in the last minute, by account. */
const kept = new Map<string, Kept>();

/** The email designs of an account. They are read page by page, until the wanted one is there. */
export class Designs {
  readonly #byId: Map<string, TransactionalEmail>;
  #cursor: string | undefined = undefined;
  #isComplete = false;
  #failures = 0;
  #reading: Promise<void> | undefined;

  /**
   * @param account whose designs of the last minute are known.
   * @param signal ends the reading when the execution is cancelled.
   */
  constructor(
    private readonly api: AudienceApi,
    account: string,
    private readonly signal?: AbortSignal,
  ) {
    for (const [name, { since }] of kept) if (Date.now() - since > KEPT_MS) kept.delete(name);
    const known = kept.get(account) ?? { since: Date.now(), byId: new Map<string, TransactionalEmail>() };
    kept.set(account, known);
    this.#byId = known.byId;
  }

  /** The design with this id, if there is one. */
  async find(id: string): Promise<TransactionalEmail | undefined> {
    while (!this.#byId.has(id) && !this.#isComplete) {
      this.#reading ??= this.#readPage();
      await this.#reading;
    }
    return this.#byId.get(id);
  }

  /** The design as the service has it now, for a person who may have changed it. */
  async findNew(id: string): Promise<TransactionalEmail | undefined> {
    this.#byId.clear();
    return await this.find(id);
  }

  async #readPage(): Promise<void> {
    try {
      for await (const page of this.api.transactional.pages({ cursor: this.#cursor, signal: this.signal })) {
        for (const design of page.data) this.#byId.set(design.id, design);
        this.#cursor = page.pagination.nextCursor ?? undefined;
        this.#isComplete = this.#cursor === undefined || this.#cursor === '';
        break;
      }
      this.#reading = undefined;
    } catch (error) {
      this.#failures += 1;
      if (this.#failures < MOST_FAILURES) this.#reading = undefined;
      throw error;
    }
  }
}
