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
  /** Puts the cursor into the search field, where there is one. */
  search?(): void;
  /** Goes from the search field into the list and opens what is marked there, or else the first. */
  enter?(): void;
  /** Moves through the list and opens what is there. */
  move?(by: number): void;
  /** Goes back from a thing to the list. */
  back?(): void;
  /** What a key does that only this section knows. */
  readonly keys?: Readonly<Record<string, () => void>>;
}

/** What a section with a list is made of. */
export interface ListViewOptions<T extends { readonly id: string }> {
  readonly name: string;
  readonly title: string;
  readonly kinds: readonly string[];
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
export function listView<T extends { readonly id: string }>(options: ListViewOptions<T>): View {
  let search = '';
  let found = 0;
  let openId: string | undefined;

  const total = h('span', { class: 'total' });
  const field = h('input', {
    type: 'search',
    class: 'search',
    placeholder: options.searchHint,
    'aria-label': `Search ${options.title.toLowerCase()}`,
    autocomplete: 'off',
    spellcheck: 'false',
    input: () => {
      search = field.value;
      void list.restart();
    },
  });
  const clear =
    options.clear && clearButton(options.title.toLowerCase(), options.clear, () => ({ search, found }));
  const empty = h('div', { class: 'empty' });
  const note = h('p', { class: 'note warn', role: 'status' });
  const detail = h('section', { class: 'detail', 'aria-label': 'Details', tabindex: -1 });
  /** Deletes a thing, and goes on with the next one where it was open. */
  const remove = async (id: string) => {
    const next = list.next(id);
    await options.remove?.(id);
    if (openId === id)
      location.hash = `#/${options.name}${next === undefined ? '' : `/${encodeURIComponent(next)}`}`;
    list.focus();
  };
  const list = new PagedList<T>({
    label: options.title,
    load: (offset, limit) => options.load({ search, offset, limit }),
    row: (item) => options.row(item),
    rowClass: (item) => options.rowClass?.(item) ?? '',
    opened: (item) => {
      location.hash = `#/${options.name}/${encodeURIComponent(item.id)}`;
    },
    loaded: (page) => {
      found = page.total;
      total.textContent = count(found);
      if (clear !== undefined) clear.disabled = found === 0;
      const unknown = page.unknownOperators?.join(', ') ?? '';
      note.hidden = unknown === '';
      note.textContent = `Not a search operator, so searched as text: ${unknown}. Click ? above for the operators.`;
      list.element.hidden = found === 0;
      empty.hidden = found > 0;
      if (found > 0) return;
      fill(empty, ...(search === '' ? options.empty() : nothingFound(search, clearSearch)));
    },
  });
  const clearSearch = () => {
    field.value = '';
    search = '';
    void list.restart();
    field.focus();
  };
  const title = h('div', { class: 'title', 'aria-hidden': 'true' }, options.title);
  const bar = h('header', { class: 'bar' }, title, total, h('span', { class: 'grow' }), clear);
  const searchBox =
    options.searchHint === undefined ? undefined : h('div', { class: 'search-box' }, icon('search'), field);
  const element = h(
    'div',
    { class: 'view split' },
    // Apart from the list, which a phone hides while a thing is open.
    h('h1', { class: 'visually-hidden' }, options.title),
    h('div', { class: 'pane' }, bar, searchBox, note, list.element, empty),
    detail,
  );

  const showDetail = async (occasion: 'opened' | 'changed') => {
    const id = openId;
    element.classList.toggle('opened', id !== undefined);
    if (id === undefined) {
      fill(detail, nothingOpen(options.name, options.hint));
      return;
    }
    const known = list.active?.id === id ? list.active : undefined;
    const nodes = await options.detail(id, known, () => void remove(id));
    if (openId !== id) return;
    const goneText = `This ${options.name.slice(0, -1)} no longer exists.`;
    const gone = h('p', { class: 'gone', role: 'status' }, goneText);
    const shown = [backButton, ...(nodes ?? [gone])];
    if (occasion === 'changed') {
      // Who reads or has the focus in there is not disturbed for nothing.
      if (nodes !== undefined && options.changes !== true) return;
      if (shown.map((one) => one.textContent).join('') === detail.textContent) return;
    }
    fill(detail, ...shown);
    if (occasion === 'changed') return;
    if (nodes !== undefined) options.opened?.(id);
    if (matchMedia('(max-width: 899px)').matches) detail.focus();
  };

  const back = () => {
    if (openId !== undefined) location.hash = `#/${options.name}`;
    list.focus();
  };

  const backButton = button('Back', back, 'back');
  backButton.classList.add('back');

  const withChosen = async (act: (id: string) => unknown) => {
    await list.loaded;
    const id = list.active?.id ?? openId;
    if (id !== undefined) act(id);
  };

  return {
    name: options.name,
    title: options.title,
    kinds: options.kinds,
    element,
    show(id) {
      const isOther = id !== openId || detail.childElementCount === 0;
      openId = id;
      void list.refresh().then(() => {
        if (id !== undefined) list.markId(id);
        return isOther ? showDetail('opened') : undefined;
      });
    },
    refresh() {
      void list.refresh().then(() => {
        const isThere = list.active !== undefined && list.active.id === openId;
        if (openId !== undefined && (options.changes === true || !isThere)) void showDetail('changed');
      });
    },
    search() {
      field.focus();
      field.select();
    },
    enter() {
      field.blur();
      void list.enter();
    },
    move(by) {
      void list.move(by, true);
    },
    back,
    keys: {
      ...Object.fromEntries(
        Object.entries({
          ...options.keys,
          ...(options.remove === undefined ? {} : { Delete: remove, '#': remove }),
        }).map(([key, act]) => [key, () => void withChosen(act)]),
      ),
    },
  };
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

function clearButton(
  things: string,
  { stays, act }: NonNullable<ListViewOptions<{ id: string }>['clear']>,
  state: () => { readonly search: string; readonly found: number },
): HTMLButtonElement {
  const clear = () => {
    const { search, found } = state();
    const what = search === '' ? `all ${things}` : `the ${count(found)} that “${search}” finds`;
    ask(`Delete ${what}?`, stays, 'Delete', () => {
      if (search === '') location.hash = `#/${things}`;
      void act(search).then(() => announce('Deleted'));
    });
  };
  const made = button('Clear', clear, 'trash');
  made.disabled = true;
  return made;
}
