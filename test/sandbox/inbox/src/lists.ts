import type { Page, Range } from './api.js';
import { ask } from './dialogs.js';
import { announce, fill, h, icon } from './dom.js';
import { count, pretty } from './format.js';
import { VirtualList } from './virtual-list.js';

/** A section of the page. */
export interface View {
  readonly name: string;
  readonly title: string;
  /** Kinds of changes that make it load again. */
  readonly kinds: readonly string[];
  readonly element: HTMLElement;
  /** Shows the section, and the thing of that id in it where one is given. */
  show(id: string | undefined): void;
  /** Loads again what is shown. */
  refresh(): void;
  /** Puts the cursor into the search field, where there is one. */
  search?(): void;
  /** Goes from the search field into the list and opens what is marked there, or else the first. */
  enter?(): void;
  /** Moves through the list and opens what is there. */
  move?(by: number): void;
  /** Goes back from a thing to the list; false when there is nothing to go back from. */
  back?(): boolean;
  /** What a key does that only this section knows. */
  readonly keys?: Readonly<Record<string, () => void>>;
}

/** What a section with a list is made of. */
export interface ListViewOptions<T extends { readonly id: string }> {
  readonly name: string;
  readonly title: string;
  readonly kinds: readonly string[];
  readonly rowHeight: number;
  readonly searchHint?: string;
  load(range: Range): Promise<Page<T>>;
  row(item: T): readonly Node[];
  rowClass?(item: T): string;
  /** The thing in full; undefined when there is none of that id (any more). */
  detail(id: string, known: T | undefined): Promise<readonly Node[] | undefined>;
  /** Whether a thing changes after it has come, so that what is open is loaded again as well. */
  readonly changes?: boolean;
  /** What to say when there is nothing at all. */
  empty(): readonly Node[];
  /** What to say beside the list while nothing is chosen. */
  readonly hint: string;
  /** Empties the list: what is asked before, what it takes away, and how. */
  readonly clear?: {
    readonly question: string;
    readonly consequence: string;
    readonly act: () => Promise<unknown>;
  };
  /** What keys do to the thing that is marked, or else to the one that is open. */
  readonly keys?: Readonly<Record<string, (id: string) => void>>;
}

/** A section with a list on the left and the thing that was chosen on the right, or over it on a phone. */
export function listView<T extends { readonly id: string }>(options: ListViewOptions<T>): View {
  let search = '';
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
  const clear = options.clear && clearButton(options.name, options.clear);
  const empty = h('div', { class: 'empty' });
  const detail = h('section', { class: 'detail', 'aria-label': 'Details', tabindex: -1 });
  const list = new VirtualList<T>({
    label: options.title,
    rowHeight: options.rowHeight,
    load: (offset, limit) => options.load({ search, offset, limit }),
    row: (item) => options.row(item),
    rowClass: (item) => options.rowClass?.(item) ?? '',
    opened: (item) => {
      location.hash = `#/${options.name}/${encodeURIComponent(item.id)}`;
    },
    counted: (number) => {
      total.textContent = count(number);
      if (clear !== undefined && search === '') clear.disabled = number === 0;
      list.element.hidden = number === 0;
      empty.hidden = number > 0;
      if (number > 0) return;
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
    h('div', { class: 'pane' }, bar, searchBox, list.element, empty),
    detail,
  );

  const showDetail = async (occasion: 'opened' | 'changed') => {
    const id = openId;
    element.classList.toggle('opened', id !== undefined);
    if (id === undefined) {
      fill(detail, nothingOpen(options.name, options.hint));
      return;
    }
    const nodes = await options.detail(id, list.active?.id === id ? list.active : undefined);
    if (openId !== id) return;
    const shown = [backButton(back), ...(nodes ?? [h('p', { class: 'hint' }, 'This is no longer there.')])];
    // Who reads or has the focus in there is not disturbed for nothing.
    if (occasion === 'changed' && shown.map((one) => one.textContent).join('') === detail.textContent) return;
    fill(detail, ...shown);
    if (occasion === 'opened' && matchMedia('(max-width: 899px)').matches) detail.focus();
  };

  const back = () => {
    if (openId === undefined) return false;
    location.hash = `#/${options.name}`;
    list.element.focus();
    return true;
  };

  /** What is marked, or else what is open. */
  const withChosen = async (act: (id: string) => void) => {
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
      void list.refresh();
      if (options.changes === true && openId !== undefined) void showDetail('changed');
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
    keys: Object.fromEntries(
      Object.entries(options.keys ?? {}).map(([key, act]) => [key, () => void withChosen(act)]),
    ),
  };
}

function backButton(back: () => void): HTMLElement {
  return h('button', { class: 'button back', click: back }, icon('back'), 'Back');
}

function nothingFound(search: string, clearSearch: () => void): Node[] {
  return [
    h('h2', {}, 'Nothing found'),
    h('p', {}, 'Nothing here fits “', search, '”. '),
    h('button', { class: 'button', click: clearSearch }, 'Clear the search'),
  ];
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
  name: string,
  { question, consequence, act }: NonNullable<ListViewOptions<{ id: string }>['clear']>,
): HTMLButtonElement {
  return h(
    'button',
    {
      class: 'button',
      disabled: true,
      click: () =>
        ask(question, consequence, 'Delete', () => {
          location.hash = `#/${name}`;
          void act().then(() => announce('Deleted'));
        }),
    },
    icon('trash'),
    'Clear',
  );
}

/** A name with its value, as many as are given. */
export function facts(entries: readonly (readonly [string, string | Node | undefined])[]): HTMLElement {
  return h(
    'dl',
    { class: 'facts' },
    ...entries.flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [h('dt', {}, name), h('dd', {}, value)],
    ),
  );
}

/** A short remark that stands out: `good`, `warn` or `bad`, or plain. */
export function badge(text: string, tone = 'plain'): HTMLElement {
  return h('span', { class: `badge ${tone}` }, text);
}

/** Text in which white space counts. */
export function code(text: string, label: string): HTMLElement {
  return h('pre', { tabindex: 0, role: 'region', 'aria-label': label }, h('code', {}, text));
}

/** Text of which long lines are broken between words. */
export function prose(text: string, label: string): HTMLElement {
  const element = code(text, label);
  element.classList.add('prose');
  return element;
}

/** A table with a heading over each column; the first cell of a row names it. */
export function table(
  columns: readonly string[],
  rows: readonly (readonly (string | Node | undefined)[])[],
): HTMLElement {
  return h(
    'table',
    {},
    h('thead', {}, h('tr', {}, ...columns.map((column) => h('th', { scope: 'col' }, column)))),
    h(
      'tbody',
      {},
      ...rows.map(([first, ...rest]) =>
        h('tr', {}, h('th', { scope: 'row' }, first), ...rest.map((cell) => h('td', {}, cell))),
      ),
    ),
  );
}

/** Fields of a contact before and after, as rows of a table. */
export function changesTable(
  changes: readonly { readonly field: string; readonly before?: unknown; readonly after?: unknown }[],
): HTMLElement {
  return table(
    ['Field', 'Before', 'After'],
    changes.map(({ field, before, after }) => [field, valueOf(before), valueOf(after)]),
  );
}

/** A value, or that there is none. */
export function valueOf(value: unknown): Node {
  const isSet = value !== null && value !== undefined;
  return h('span', isSet ? {} : { class: 'unset' }, isSet ? pretty(value) : 'not set');
}
