import { h, icon } from './dom.js';
import type { Page } from './api.js';
import { count } from './format.js';

const PAGE_SIZE = 50;

/** What a list shows and how. */
export interface ListSource<T extends { readonly id: string }> {
  readonly label: string;
  load(offset: number, limit: number): Promise<Page<T>>;
  /** What stands in a row. */
  row(item: T): readonly Node[];
  /** Class names of a row beside those of the list. */
  rowClass?(item: T): string;
  opened(item: T): void;
  /** Called with each page that is shown. */
  loaded(page: Page<T>): void;
}

/**
 * A list in pages. Arrow keys, Home, End, Page Up and Page Down move through all of it, Enter and Space open.
 */
export class PagedList<T extends { readonly id: string }> {
  readonly element: HTMLElement;
  readonly #rows: HTMLElement;
  readonly #range = h('span', { role: 'status' });
  readonly #previous = h('button', { class: 'button', click: () => this.#turn(-1) }, icon('back'), 'Newer');
  readonly #next = h('button', { class: 'button', click: () => this.#turn(1) }, 'Older', icon('next'));
  readonly #pager = h('div', { class: 'pager' }, this.#previous, this.#range, this.#next);
  #items: readonly T[] = [];
  #offset = 0;
  #total = 0;
  /** Row of the mark in the whole list, and its id: after a deletion another item may be in that row. */
  #active = -1;
  #activeId: string | undefined;
  /** What the pointer is pressed on: its row may be drawn anew, elsewhere, before the release, which ends clicks. */
  #pressed: T | undefined;
  #loads = 0;
  #loaded = Promise.resolve();

  constructor(private readonly source: ListSource<T>) {
    this.#rows = h('div', {
      class: 'list',
      role: 'listbox',
      tabindex: 0,
      'aria-label': source.label,
      pointerdown: (event) => (this.#pressed = isMainButton(event) ? this.#itemOf(event) : undefined),
      pointerup: (event) => void this.#choose(this.#pressed, event),
      pointerleave: () => (this.#pressed = undefined),
      click: (event) => {
        // Without a pointer, as screen readers do it.
        if (event instanceof MouseEvent && event.detail === 0) void this.#choose(this.#itemOf(event), event);
      },
      keydown: (event) => {
        if (event instanceof KeyboardEvent) this.#key(event);
      },
    });
    this.element = h('div', { class: 'list-box' }, this.#rows, this.#pager);
  }

  /** The item that is marked; undefined where it is gone or on another page. */
  get active(): T | undefined {
    const item = this.#items[this.#active - this.#offset];
    return item?.id === this.#activeId ? item : undefined;
  }

  /** Id of the item that follows one, or else of the one before it; undefined where this page has no other. */
  next(id: string): string | undefined {
    const at = this.#items.findIndex((item) => item.id === id);
    return (this.#items[at + 1] ?? this.#items[at - 1])?.id;
  }

  /** Ends when the page that was asked for last is there: a key may come before its rows. */
  get loaded(): Promise<void> {
    return this.#loaded;
  }

  focus(): void {
    this.#rows.focus();
  }

  /** Shows another list from its beginning. */
  async restart(): Promise<void> {
    this.#active = -1;
    this.#activeId = undefined;
    this.#offset = 0;
    this.#rows.scrollTop = 0;
    await this.refresh();
  }

  /** Reloads the page. New items at the top move neither the mark nor what is in sight. */
  refresh(): Promise<void> {
    this.#loaded = this.#load(this.#offset);
    return this.#loaded;
  }

  async #load(offset: number): Promise<void> {
    const load = (this.#loads += 1);
    const before = this.#total;
    let page = await this.source.load(offset, PAGE_SIZE);
    const grown = before === 0 ? 0 : Math.max(0, page.total - before);
    const moved = offset === 0 ? 0 : offset + grown;
    const wanted = moved < page.total ? moved : startOfPage(page.total - 1);
    if (wanted !== offset) page = await this.source.load(wanted, PAGE_SIZE);
    if (load !== this.#loads) return this.#loaded;

    this.#offset = wanted;
    this.#total = page.total;
    this.#items = page.items;
    if (this.#activeId !== undefined) {
      const found = this.#indexOf(this.#activeId);
      this.#active = found === -1 ? Math.min(this.#active + grown, page.total - 1) : found;
    }
    this.source.loaded(page);
    const row = this.#rows.firstElementChild?.clientHeight ?? 0;
    this.#draw();
    if (wanted === 0 && this.#rows.scrollTop > 0) this.#rows.scrollTop += grown * row;
  }

  /** Marks a row by its index in the whole list, scrolls to it and, when wanted, opens it. */
  async mark(index: number, open: boolean): Promise<void> {
    if (this.#total === 0) return;
    const wanted = Math.min(Math.max(index, 0), this.#total - 1);
    if (this.#items[wanted - this.#offset] === undefined) {
      this.#loaded = this.#load(startOfPage(wanted));
      await this.#loaded;
    }
    const item = this.#items[wanted - this.#offset];
    this.#active = wanted;
    this.#activeId = item?.id;
    this.#draw();
    document.getElementById(rowId(wanted))?.scrollIntoView({ block: 'nearest' });
    if (open && item !== undefined) this.source.opened(item);
  }

  /** Marks the row that many rows further. */
  async move(by: number, open: boolean): Promise<void> {
    await this.#loaded;
    const from = this.#active === -1 ? this.#offset - 1 : this.#active;
    const inPlace = this.#items[from - this.#offset];
    // Where the marked item is gone, the next one has its row.
    const isNext = inPlace !== undefined && inPlace.id !== this.#activeId && by > 0;
    await this.mark(from + by - (isNext ? 1 : 0), open);
  }

  /** Gives the list the focus and opens the row that is marked, or else the first. */
  async enter(): Promise<void> {
    await this.#loaded;
    this.focus();
    await this.mark(Math.max(0, this.#active), true);
  }

  /** Marks the item with an id; none where it is not on this page. */
  markId(id: string): void {
    this.#active = this.#indexOf(id);
    this.#activeId = id;
    this.#draw();
  }

  #turn(by: number): void {
    this.#rows.scrollTop = 0;
    this.#loaded = this.#load(Math.max(0, this.#offset + by * PAGE_SIZE));
  }

  #indexOf(id: string): number {
    const found = this.#items.findIndex((item) => item.id === id);
    return found === -1 ? -1 : found + this.#offset;
  }

  /** The item of the row in which something happened. */
  #itemOf({ target }: Event): T | undefined {
    const row = target instanceof Element ? target.closest('[role=option]') : null;
    return this.#items.find(({ id }) => id === row?.getAttribute('data-id'));
  }

  async #choose(item: T | undefined, event: Event): Promise<void> {
    this.#pressed = undefined;
    const index = item === undefined ? -1 : this.#indexOf(item.id);
    if (item === undefined || index === -1 || !(event instanceof MouseEvent)) return;
    await this.mark(index, true);
  }

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = this.#action(event.key);
    if (act === undefined) return;
    event.preventDefault();
    act();
  }

  #action(key: string): (() => unknown) | undefined {
    const height = this.#rows.firstElementChild?.clientHeight ?? 1;
    const rows = Math.max(1, Math.floor(this.#rows.clientHeight / height) - 1);
    const steps: Readonly<Record<string, number>> = {
      ...{ ArrowDown: 1, ArrowUp: -1, PageDown: rows, PageUp: -rows },
      ...{ Home: -this.#total, End: this.#total },
    };
    const step = steps[key];
    if (step !== undefined) return () => this.move(step, false);
    const open = () => this.mark(Math.max(0, this.#active), true);
    return { Enter: open, ' ': open }[key];
  }

  #draw(): void {
    const scrollTop = this.#rows.scrollTop;
    const known = new Map([...this.#rows.children].map((row) => [row.getAttribute('data-id'), row]));
    const rows = this.#items.map((item, index) => this.#row(item, this.#offset + index));
    this.#rows.replaceChildren(...rows.map((row) => kept(known.get(row.getAttribute('data-id')), row)));
    this.#rows.scrollTop = scrollTop;
    if (this.active === undefined) this.#rows.removeAttribute('aria-activedescendant');
    else this.#rows.setAttribute('aria-activedescendant', rowId(this.#active));
    this.#pager.hidden = this.#total <= PAGE_SIZE;
    const end = this.#offset + this.#items.length;
    this.#range.textContent = `${count(this.#offset + 1)} – ${count(end)} of ${count(this.#total)}`;
    this.#previous.disabled = this.#offset === 0;
    this.#next.disabled = end >= this.#total;
  }

  #row(item: T, index: number): HTMLElement {
    const isActive = item.id === this.#activeId;
    return h(
      'div',
      {
        class: `row ${isActive ? 'active' : ''} ${this.source.rowClass?.(item) ?? ''}`,
        id: rowId(index),
        'data-id': item.id,
        role: 'option',
        'aria-selected': String(isActive),
        'aria-posinset': index + 1,
        'aria-setsize': this.#total,
      },
      ...this.source.row(item),
    );
  }
}

/** The element that shows an item already, as the new one is: what looks at it is not left with one that is gone. */
function kept(known: Element | undefined, row: Element): Element {
  if (known === undefined || known.isEqualNode(row)) return known ?? row;
  for (const { name, value } of row.attributes) known.setAttribute(name, value);
  known.replaceChildren(...row.childNodes);
  return known;
}

function rowId(index: number): string {
  return `row-${index}`;
}

function startOfPage(index: number): number {
  return Math.max(0, Math.floor(index / PAGE_SIZE) * PAGE_SIZE);
}

function isMainButton(event: Event): boolean {
  return event instanceof MouseEvent && event.button === 0;
}
