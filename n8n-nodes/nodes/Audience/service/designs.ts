import type { TransactionalEmail } from 'audience-core';
import type { AudienceApi } from 'audience-core/internal';

/** For how long a process keeps what it has read, in milliseconds: each batch of a loop would read it again. */
const KEPT_MS = 60_000;

/** A read that failed so often in one run is not repeated: a service that is down would delay every item. */
const MOST_FAILURES = 3;

/** A read that all items of a run share. After a failure the next item repeats it, twice at most. */
export function shared<Result>(read: () => Promise<Result>): () => Promise<Result> {
  let reading: Promise<Result> | undefined;
  let failures = 0;
  return () => {
    reading ??= read().catch((error: unknown) => {
      failures += 1;
      if (failures < MOST_FAILURES) reading = undefined;
      throw error;
    });
    return reading;
  };
}

/** What was read in the last minute, by account. */
const kept = new Map<string, { readonly since: number; readonly byId: Map<string, TransactionalEmail> }>();

/** The email designs of an account. They are read page by page, until the wanted one is there. */
export class Designs {
  #byId = new Map<string, TransactionalEmail>();
  #pages: ReturnType<AudienceApi['transactional']['pages']> | undefined;
  #cursor: string | undefined;
  #isComplete = false;
  #next = shared(() => this.#readPage());

  /** @param signal ends the reading when the execution is cancelled. */
  constructor(
    private readonly api: AudienceApi,
    private readonly account: string,
    private readonly signal?: AbortSignal,
  ) {
    const known = kept.get(account);
    if (known !== undefined && Date.now() - known.since <= KEPT_MS) this.#byId = known.byId;
    else this.#keep();
  }

  /** The design with this id, if there is one. */
  async find(id: string): Promise<TransactionalEmail | undefined> {
    while (!this.#byId.has(id) && !this.#isComplete) await this.#next();
    return this.#byId.get(id);
  }

  /** The design as the service has it now, for a user who may have changed it. */
  async findNew(id: string): Promise<TransactionalEmail | undefined> {
    this.#byId = new Map();
    this.#keep();
    return await this.find(id);
  }

  #keep(): void {
    kept.set(this.account, { since: Date.now(), byId: this.#byId });
  }

  async #readPage(): Promise<void> {
    this.#pages ??= this.api.transactional.pages({ cursor: this.#cursor, signal: this.signal });
    const page = await this.#pages.next().catch((error: unknown) => {
      this.#pages = undefined;
      throw error;
    });
    if (page.done === true) this.#isComplete = true;
    else {
      for (const design of page.value.data) this.#byId.set(design.id, design);
      this.#cursor = page.value.pagination.nextCursor ?? undefined;
    }
    this.#next = shared(() => this.#readPage());
  }
}
