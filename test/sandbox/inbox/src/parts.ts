import { h } from './dom.js';
import { fullTime, pretty, timeAgo } from './format.js';

/** The top of a thing: its title, and what can be done with it. */
export function head(title: string, ...buttons: readonly (Node | undefined)[]): HTMLElement {
  return h(
    'header',
    { class: 'detail-head' },
    h('h2', {}, title),
    h('div', { class: 'buttons' }, ...buttons),
  );
}

/** A line of a row: what it is, and to its right the rest. */
export function rowTop(who: string | Node, ...rest: readonly (Node | undefined)[]): HTMLElement {
  return h('span', { class: 'row-top' }, h('span', { class: 'row-who' }, who), ...rest);
}

/** How long ago a time was; it keeps up with the clock. */
export function ago(timestamp: string): HTMLElement {
  const attributes = { class: 'ago', datetime: timestamp, title: fullTime(timestamp) };
  return h('time', attributes, timeAgo(timestamp));
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

/** Text with long lines, broken between words. */
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
