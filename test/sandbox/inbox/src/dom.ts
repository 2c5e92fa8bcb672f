/** What can stand inside an element: text is put in as text, never as markup. */
export type Child = Node | string | number | undefined;

type Attributes = Readonly<Record<string, string | number | boolean | undefined | ((event: Event) => void)>>;

/** Makes an element. Attributes that are functions are listeners, by the event's name. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== undefined && value !== false) element.setAttribute(name, String(value));
  }
  append(element, children);
  return element;
}

/** Replaces an element's children. */
export function fill(element: Element, ...children: readonly Child[]): void {
  element.replaceChildren();
  append(element, children);
}

function append(element: Element, children: readonly Child[]): void {
  for (const child of children) {
    if (child !== undefined) element.append(typeof child === 'number' ? String(child) : child);
  }
}

/** One of the pictures of the page's sprite. */
export function icon(name: string): SVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  const use = document.createElementNS('http://www.w3.org/2000/svg', 'use');
  use.setAttribute('href', `#icon-${name}`);
  svg.append(use);
  return svg;
}

/** A button; its picture is one of the page's sprite. */
export function button(label: string, click: () => void, picture?: string): HTMLButtonElement {
  const shown = picture === undefined ? undefined : icon(picture);
  return h('button', { class: 'button', type: 'button', click }, shown, label);
}

/** A link to a thing in a section of the page. */
export function link(section: string, id: string, text: string): HTMLElement {
  return h('a', { href: `#/${section}/${encodeURIComponent(id)}` }, text);
}

/** An element of the page that is always there. */
export function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`The page has no element '${id}'.`);
  return element;
}

/** Shows a text for a moment, and tells it to screen readers. */
export function announce(text: string): void {
  const toast = byId('toast');
  toast.textContent = text;
  toast.classList.remove('shown');
  // Read so that the animation starts anew when one text follows another.
  toast.getBoundingClientRect();
  toast.classList.add('shown');
}
