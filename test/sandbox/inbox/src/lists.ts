import type { Page, Range } from './api.js';
import { ask } from './dialogs.js';
import { announce, button, fill, h, icon } from './dom.js';
import { count } from './format.js';
import { PagedList } from './paged-list.js';

/** A section of the page. */
export interface View {
  readonly name: string;
  readonly title: string;
  /** Kinds of changes that make it reload. */
  readonly kinds: readonly string[];
  readonly element: HTMLElement;
  /** Shows the section, and the thing of that id in it where one is given. */
  show(id: string | undefined): void;
  /** Reloads what is shown. */
  refresh(): void;
  /** What a key does in this section. */
  readonly keys?: Readonly<Record<string, () => void>>;
}

/** What a section with a list is made of. */
export interface ListViewOptions<T extends { readonly id: string }> extends Pick<
  View,
  'name' | 'title' | 'kinds'
> {
  readonly searchHint?: string;
  load(range: Range): Promise<Page<T>>;
  row(item: T): readonly Node[];
  rowClass?(item: T): string;
  /** The thing in full; undefined when it does not exist (any more). */
  detail(id: string, known: T | undefined, remove: () => void): Promise<readonly Node[] | undefined>;
  /** Called when the user opens a thing. */
  opened?(id: string): void;
  /** Whether an item can change later, so that the open one is reloaded as well. */
  readonly changes?: boolean;
  /** What to say when there is nothing at all. */
  empty(): readonly Node[];
  /** What to say beside the list while nothing is chosen. */
  readonly hint: string;
  /** Empties the list, or deletes what the search finds: what it does not delete, and how. */
  readonly clear?: { readonly stays: string; readonly act: (search: string) => Promise<unknown> };
  /** Deletes a thing. */
  readonly remove?: (id: string) => Promise<void>;
  /** What keys do to the thing that is marked, or else to the one that is open. */
  readonly keys?: Readonly<Record<string, (id: string) => void>>;
}

/** A section with a list on the left and the thing that was chosen on the right, or over it on a phone. */
export class ListView<T extends { readonly id: string }> implements View {
  readonly name: string;
  readonly title: string;
  readonly kinds: readonly string[];
  readonly keys: Readonly<Record<string, () => void>>;
  readonly element: HTMLElement;
  readonly #list: PagedList<T>;
  readonly #field: HTMLInputElement;
  readonly #clear: HTMLButtonElement | undefined;
  readonly #total = h('span', { class: 'total' });
  readonly #empty = h('div', { class: 'empty' });
  readonly #detail = h('section', { class: 'detail', 'aria-label': 'Details', tabindex: -1 });
  readonly #backButton = button('Back', () => this.#back(), 'back');
  #search = '';
  #found = 0;
  #openId: string | undefined;

  constructor(private readonly options: ListViewOptions<T>) {
    ({ name: this.name, title: this.title, kinds: this.kinds } = options);
    this.keys = this.#keysOf(options);
    this.#field = h('input', {
      type: 'search',
      class: 'search',
      placeholder: options.searchHint,
      'aria-label': `Search ${options.title.toLowerCase()}`,
      autocomplete: 'off',
      spellcheck: 'false',
      input: () => this.#searchFor(this.#field.value),
      keydown: (event) => this.#leaveSearch(event),
    });
    this.#clear = options.clear && this.#clearButton(options.clear);
    this.#list = new PagedList<T>({
      label: options.title,
      load: (offset, limit) => options.load({ search: this.#search, offset, limit }),
      row: (item) => options.row(item),
      rowClass: (item) => options.rowClass?.(item) ?? '',
      opened: ({ id }) => this.#goTo(id),
      loaded: (page) => this.#showFound(page),
    });
    this.#backButton.classList.add('back');
    this.element = this.#layOut();
  }

  #layOut(): HTMLElement {
    const { title, searchHint } = this.options;
    const name = h('div', { class: 'title', 'aria-hidden': 'true' }, title);
    const bar = h('header', { class: 'bar' }, name, this.#total, h('span', { class: 'grow' }), this.#clear);
    const search = searchHint && h('div', { class: 'search-box' }, icon('search'), this.#field);
    return h(
      'div',
      { class: 'view split' },
      // Apart from the list, which a phone hides while a thing is open.
      h('h1', { class: 'visually-hidden' }, title),
      h('div', { class: 'pane' }, bar, search, this.#list.element, this.#empty),
      this.#detail,
    );
  }

  #keysOf({ keys, remove }: ListViewOptions<T>): Readonly<Record<string, () => void>> {
    const deleting = remove && ((id: string) => void this.#remove(id));
    const acts = { ...keys, ...(deleting && { Delete: deleting, '#': deleting }) };
    return {
      '/': () => {
        this.#field.focus();
        this.#field.select();
      },
      j: () => void this.#list.move(1, true),
      k: () => void this.#list.move(-1, true),
      Escape: () => this.#back(),
      ...Object.fromEntries(
        Object.entries(acts).map(([key, act]) => [key, () => void this.#withChosen(act)]),
      ),
    };
  }

  #clearButton({ stays, act }: NonNullable<ListViewOptions<T>['clear']>): HTMLButtonElement {
    const clear = () => {
      const search = this.#search;
      const what = search === '' ? `all ${this.name}` : `the ${count(this.#found)} that “${search}” finds`;
      ask(`Delete ${what}?`, stays, 'Delete', () => {
        if (search === '') this.#goTo();
        void act(search).then(() => announce('Deleted'));
      });
    };
    const made = button('Clear', clear, 'trash');
    made.disabled = true;
    return made;
  }

  #goTo(id?: string): void {
    location.hash = `#/${this.name}${id === undefined ? '' : `/${encodeURIComponent(id)}`}`;
  }

  #searchFor(search: string): void {
    this.#search = search;
    void this.#list.restart();
  }

  #clearSearch(): void {
    this.#field.value = '';
    this.#searchFor('');
    this.#field.focus();
  }

  /** Goes from the search field into the list and opens what is marked there, or else the first. */
  #leaveSearch(event: Event): void {
    if (!(event instanceof KeyboardEvent) || !['ArrowDown', 'Enter'].includes(event.key)) return;
    event.preventDefault();
    this.#field.blur();
    void this.#list.enter();
  }

  /** Deletes a thing, and goes on with the next one where it was open. */
  async #remove(id: string): Promise<void> {
    const next = this.#list.next(id);
    await this.options.remove?.(id);
    if (this.#openId === id) this.#goTo(next);
    this.#list.focus();
  }

  #showFound({ total }: Page<T>): void {
    this.#found = total;
    this.#total.textContent = count(total);
    if (this.#clear !== undefined) this.#clear.disabled = total === 0;
    this.#list.element.hidden = total === 0;
    this.#empty.hidden = total > 0;
    if (total > 0) return;
    const none = () => nothingFound(this.#search, () => this.#clearSearch());
    fill(this.#empty, ...(this.#search === '' ? this.options.empty() : none()));
  }

  async #showDetail(occasion: 'opened' | 'changed'): Promise<void> {
    const { name, hint, changes } = this.options;
    const id = this.#openId;
    this.element.classList.toggle('opened', id !== undefined);
    if (id === undefined) {
      fill(this.#detail, nothingOpen(name, hint));
      return;
    }
    const { active } = this.#list;
    const nodes = await this.options.detail(
      id,
      active?.id === id ? active : undefined,
      () => void this.#remove(id),
    );
    if (this.#openId !== id) return;
    const goneText = `This ${name.slice(0, -1)} no longer exists.`;
    const shown = [this.#backButton, ...(nodes ?? [h('p', { class: 'gone', role: 'status' }, goneText)])];
    if (occasion === 'changed') {
      // Who reads or has the focus in there is not disturbed for nothing.
      if (nodes !== undefined && changes !== true) return;
      if (shown.map((one) => one.textContent).join('') === this.#detail.textContent) return;
    }
    fill(this.#detail, ...shown);
    if (occasion === 'changed') return;
    if (nodes !== undefined) this.options.opened?.(id);
    if (matchMedia('(max-width: 899px)').matches) this.#detail.focus();
  }

  async #withChosen(act: (id: string) => unknown): Promise<void> {
    await this.#list.loaded;
    const id = this.#list.active?.id ?? this.#openId;
    if (id !== undefined) act(id);
  }

  show(id: string | undefined): void {
    const isOther = id !== this.#openId || this.#detail.childElementCount === 0;
    this.#openId = id;
    void this.#list.refresh().then(() => {
      if (id !== undefined) this.#list.markId(id);
      return isOther ? this.#showDetail('opened') : undefined;
    });
  }

  refresh(): void {
    void this.#list.refresh().then(() => {
      const { active } = this.#list;
      const isThere = active !== undefined && active.id === this.#openId;
      if (this.#openId !== undefined && (this.options.changes === true || !isThere))
        void this.#showDetail('changed');
    });
  }

  #back(): void {
    if (this.#openId !== undefined) this.#goTo();
    this.#list.focus();
  }
}

function nothingFound(search: string, clearSearch: () => void): Node[] {
  const text = `Nothing here fits “${search}”.`;
  return [h('h2', {}, 'Nothing found'), h('p', {}, text), button('Clear the search', clearSearch)];
}

function nothingOpen(name: string, hint: string): HTMLElement {
  const key = (text: string) => h('kbd', {}, text);
  return h(
    'div',
    { class: 'nothing' },
    icon(name),
    h('p', {}, hint),
    h('p', {}, key('j'), ' opens the next, ', key('/'), ' searches, ', key('?'), ' shows all keys.'),
  );
}
