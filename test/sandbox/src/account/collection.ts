import type * as z from 'zod/mini';
import type { Journal, StoredRecord } from './journal.js';

export type ChangeListener = (kind: string) => void;

/** Gets the new and the old record; `undefined` for a record that was deleted or is new. */
export type Watcher<T> = (after: T | undefined, before: T | undefined) => void;

/** Records of one kind by id, in the order in which they were first put; written through to a journal. */
export class Collection<T extends StoredRecord> {
  protected readonly records = new Map<string, T>();
  readonly #watchers = new Set<Watcher<T>>();

  constructor(
    readonly kind: string,
    private readonly schema: z.ZodMiniType<T>,
    private readonly journal: Journal,
    private readonly changed: ChangeListener,
  ) {}

  load(): void {
    for (const record of this.journal.load(this.kind, this.schema)) this.keep(record);
  }

  get size(): number {
    return this.records.size;
  }

  get(id: string): T | undefined {
    return this.records.get(id);
  }

  has(id: string): boolean {
    return this.records.has(id);
  }

  values(): IterableIterator<T> {
    return this.records.values();
  }

  put(record: T): T {
    const before = this.records.get(record.id);
    for (const watcher of this.#watchers) watcher(record, before);
    this.keep(record);
    this.journal.put(this.kind, record, () => {
      if (before === undefined) this.drop(record.id);
      else this.keep(before);
    });
    this.changed(this.kind);
    return record;
  }

  delete(id: string): boolean {
    const before = this.records.get(id);
    if (before === undefined) return false;
    for (const watcher of this.#watchers) watcher(undefined, before);
    this.drop(id);
    this.journal.delete(this.kind, id, this.#reload);
    this.changed(this.kind);
    return true;
  }

  clear(): void {
    if (this.records.size === 0) return;
    this.dropAll();
    this.journal.clear(this.kind, this.#reload);
    this.changed(this.kind);
  }

  /** Calls back with what changes, until the result is called. */
  watch(watcher: Watcher<T>): () => void {
    this.#watchers.add(watcher);
    return () => {
      this.#watchers.delete(watcher);
    };
  }

  /** Back to what the journal holds. One function for all calls, as a batch needs it only once. */
  readonly #reload = () => {
    this.dropAll();
    this.load();
  };

  protected keep(record: T): void {
    this.records.set(record.id, record);
  }

  protected drop(id: string): void {
    this.records.delete(id);
  }

  protected dropAll(): void {
    this.records.clear();
  }
}
