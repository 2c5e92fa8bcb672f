import type { TransactionalEmail } from 'audience-core';
import type { AudienceApi } from 'audience-core/internal';
import { SharedRead } from './shared-read.js';

/** The email designs of the account. Pages are read as far as they are needed, each once. */
export class DesignList {
  readonly #known = new Map<string, TransactionalEmail>();
  #pages: ReturnType<AudienceApi['transactional']['pages']> | undefined;
  /** Reads the next page; tells whether there was one. */
  readonly #nextPage = new SharedRead(() => this.#readPage());

  constructor(
    private readonly api: AudienceApi,
    private readonly signal: AbortSignal | undefined,
  ) {}

  /** The design of that id, `undefined` where there is none. */
  async find(id: string): Promise<TransactionalEmail | undefined> {
    while (!this.#known.has(id)) {
      const hasMore = await this.#nextPage.get();
      if (!hasMore) break;
    }
    return this.#known.get(id);
  }

  async #readPage(): Promise<boolean> {
    const pages = this.#pages ?? this.api.transactional.pages({ signal: this.signal });
    // One that failed is at its end: the next attempt begins anew.
    this.#pages = undefined;
    const page = await pages.next();
    if (page.done === true) return false;
    this.#pages = pages;
    for (const design of page.value.data) this.#known.set(design.id, design);
    this.#nextPage.forget();
    return true;
  }
}
