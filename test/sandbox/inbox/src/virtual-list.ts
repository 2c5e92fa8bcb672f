import { h } from './dom.js';
import type { Page } from './api.js';

const PAGE_SIZE = 100;
const OVERSCAN = 6;

/** What a list shows and how. */
export interface ListSource<T extends { readonly id: string }> {
  readonly label: string;
  /** Height of a row, in pixels. */
  readonly rowHeight: number;
  load(offset: number, limit: number): Promise<Page<T>>;
  /** What stands in a row. */
  row(item: T): readonly Node[];
  /** Class names of a row beside those of the list. */
  rowClass?(item: T): string;
  opened(item: T): void;
  /** Told how many there are, each time that is known. */
  counted(total: number): void;
}

/**
 * A list of which only the rows in sight are in the page, and only the parts in sight are loaded: it is as quick
 * with 100,000 as with ten. Moved through by arrow keys, Home, End, Page Up and Page Down; Enter opens.
 */
export class VirtualList<T extends { readonly id: string }> {
  readonly element: HTMLElement;
  readonly #spacer = h('div', { class: 'list-spacer', role: 'presentation' });
  #pages = new Map<number, Promise<void>>();
  #items: (T | undefined)[] = [];
  #total = 0;
  #active = -1;
  /** What the pointer is pressed on: its row may be drawn anew, elsewhere, before the release, which ends clicks. */
  #pressed: T | undefined;
  #generation = 0;
  #drawing = false;
  #loaded = Promise.resolve();

  constructor(private readonly source: ListSource<T>) {
    this.element = h(
      'div',
      {
        class: 'list',
        role: 'listbox',
        tabindex: 0,
        'aria-label': source.label,
        scroll: () => this.#drawSoon(),
        pointerdown: (event) => (this.#pressed = isMainButton(event) ? this.#itemOf(event) : undefined),
        pointerup: () => void this.#open(this.#pressed),
        pointerleave: () => (this.#pressed = undefined),
        click: (event) => {
          // Without a pointer, as screen readers do it.
          if (event instanceof MouseEvent && event.detail === 0) void this.#open(this.#itemOf(event));
        },
        keydown: (event) => {
          if (event instanceof KeyboardEvent) this.#key(event);
        },
      },
      this.#spacer,
    );
    new ResizeObserver(() => this.#drawSoon()).observe(this.element);
  }

  /** The row that is marked. */
  get active(): T | undefined {
    return this.#items[this.#active];
  }

  /** Ends when the list that was asked for last is there: a key may come before its rows. */
  get loaded(): Promise<void> {
    return this.#loaded;
  }

  /** Shows another list from its beginning. */
  async restart(): Promise<void> {
    this.#active = -1;
    this.element.scrollTop = 0;
    await this.refresh();
  }

  /** Loads what is in sight again. What was added at the top moves neither the mark nor what is in sight. */
  refresh(): Promise<void> {
    this.#loaded = this.#refresh();
    return this.#loaded;
  }

  async #refresh(): Promise<void> {
    this.#generation += 1;
    const generation = this.#generation;
    const activeId = this.active?.id;
    const before = this.#total;
    const { first, last } = this.#range();
    const start = Math.floor(first / PAGE_SIZE) * PAGE_SIZE;
    const page = await this.source.load(start, Math.max(PAGE_SIZE, last - start + PAGE_SIZE));
    if (generation !== this.#generation) return this.#loaded;

    const grown = page.total - before;
    this.#total = page.total;
    this.#items = [];
    this.#pages = new Map();
    page.items.forEach((item, index) => (this.#items[start + index] = item));
    for (let offset = start; offset < start + page.items.length; offset += PAGE_SIZE) {
      if (offset + PAGE_SIZE <= start + page.items.length || start + page.items.length === page.total) {
        this.#pages.set(offset / PAGE_SIZE, Promise.resolve());
      }
    }
    if (activeId !== undefined) {
      const found = this.#items.findIndex((item) => item?.id === activeId);
      this.#active = found === -1 ? Math.min(this.#active + Math.max(0, grown), page.total - 1) : found;
    }
    this.#spacer.style.height = `${page.total * this.source.rowHeight}px`;
    if (this.element.scrollTop > 0 && grown > 0 && before > 0) {
      this.element.scrollTop += grown * this.source.rowHeight;
    }
    this.source.counted(page.total);
    this.#draw();
  }

  /** Marks a row by its place, brings it into sight and, when wanted, opens it. */
  async mark(index: number, open: boolean): Promise<void> {
    if (this.#total === 0) return;
    this.#active = Math.min(Math.max(index, 0), this.#total - 1);
    const top = this.#active * this.source.rowHeight;
    const { scrollTop, clientHeight } = this.element;
    if (top < scrollTop) this.element.scrollTop = top;
    else if (top + this.source.rowHeight > scrollTop + clientHeight) {
      this.element.scrollTop = top + this.source.rowHeight - clientHeight;
    }
    await this.#loadPage(Math.floor(this.#active / PAGE_SIZE));
    this.#draw();
    const item = this.active;
    if (open && item !== undefined) this.source.opened(item);
  }

  /** Marks the row that many places on. */
  async move(by: number, open: boolean): Promise<void> {
    await this.#loaded;
    await this.mark(this.#active === -1 ? 0 : this.#active + by, open);
  }

  /** Gives the list the focus and opens the row that is marked, or else the first. */
  async enter(): Promise<void> {
    await this.#loaded;
    this.element.focus();
    await this.mark(Math.max(0, this.#active), true);
  }

  /** Marks the row with an id, where it is loaded. */
  markId(id: string): void {
    const found = this.#items.findIndex((item) => item?.id === id);
    if (found === -1) return;
    this.#active = found;
    this.#draw();
  }

  /** The item of the row in which something happened. */
  #itemOf({ target }: Event): T | undefined {
    const row = target instanceof Element ? target.closest('[role=option]') : null;
    return row === null ? undefined : this.#items[Number(row.getAttribute('aria-posinset')) - 1];
  }

  #open(item: T | undefined): Promise<void> | undefined {
    this.#pressed = undefined;
    const index = item === undefined ? -1 : this.#items.findIndex((one) => one?.id === item.id);
    return index === -1 ? undefined : this.mark(index, true);
  }

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const rows = Math.max(1, Math.floor(this.element.clientHeight / this.source.rowHeight) - 1);
    const moves: Readonly<Record<string, () => Promise<void>>> = {
      ArrowDown: () => this.move(1, false),
      ArrowUp: () => this.move(-1, false),
      PageDown: () => this.move(rows, false),
      PageUp: () => this.move(-rows, false),
      Home: () => this.mark(0, false),
      End: () => this.mark(this.#total - 1, false),
      Enter: () => this.mark(Math.max(0, this.#active), true),
      ' ': () => this.mark(Math.max(0, this.#active), true),
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    void move();
  }

  #range(): { first: number; last: number } {
    const first = Math.max(0, Math.floor(this.element.scrollTop / this.source.rowHeight) - OVERSCAN);
    const visible = Math.ceil(this.element.clientHeight / this.source.rowHeight) + 2 * OVERSCAN;
    return { first, last: Math.max(first, Math.min(this.#total, first + visible) - 1) };
  }

  #drawSoon(): void {
    if (this.#drawing) return;
    this.#drawing = true;
    requestAnimationFrame(() => {
      this.#drawing = false;
      this.#draw();
    });
  }

  #draw(): void {
    const { first, last } = this.#range();
    const rows: HTMLElement[] = [];
    for (let index = first; index <= last && index < this.#total; index += 1) rows.push(this.#row(index));
    this.#spacer.replaceChildren(...rows);
    const activeRow = this.#active >= first && this.#active <= last ? this.#rowId(this.#active) : undefined;
    if (activeRow === undefined) this.element.removeAttribute('aria-activedescendant');
    else this.element.setAttribute('aria-activedescendant', activeRow);
    for (let page = Math.floor(first / PAGE_SIZE); page <= Math.floor(last / PAGE_SIZE); page += 1) {
      if (page * PAGE_SIZE < this.#total && !this.#pages.has(page)) {
        void this.#loadPage(page).then(() => this.#drawSoon());
      }
    }
  }

  #row(index: number): HTMLElement {
    const item = this.#items[index];
    const row = h(
      'div',
      {
        class: `row ${item === undefined ? 'row-loading' : (this.source.rowClass?.(item) ?? '')}`,
        id: this.#rowId(index),
        role: 'option',
        'aria-selected': index === this.#active ? 'true' : 'false',
        'aria-posinset': index + 1,
        'aria-setsize': this.#total,
      },
      ...(item === undefined ? ['…'] : this.source.row(item)),
    );
    row.style.top = `${index * this.source.rowHeight}px`;
    row.style.height = `${this.source.rowHeight}px`;
    return row;
  }

  #rowId(index: number): string {
    return `row-${index}`;
  }

  #loadPage(page: number): Promise<void> {
    const known = this.#pages.get(page);
    if (known !== undefined) return known;
    const generation = this.#generation;
    const loading = this.source.load(page * PAGE_SIZE, PAGE_SIZE).then(({ items }) => {
      if (generation !== this.#generation) return;
      items.forEach((item, index) => (this.#items[page * PAGE_SIZE + index] = item));
    });
    this.#pages.set(page, loading);
    return loading;
  }
}

function isMainButton(event: Event): boolean {
  return event instanceof MouseEvent && event.button === 0;
}
