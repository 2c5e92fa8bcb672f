import { quoted, shortened } from 'audience-core/internal';
import { isDate, otherThanJson } from '../dates.js';
import type { Subject } from '../problem.js';

const KINDS: Readonly<Record<Subject['kind'], string>> = {
  field: '',
  argument: 'The argument ',
  variable: 'The variable ',
  'contact field': 'The contact field ',
  'event property': 'The event property ',
};

/** What a message calls its subject, as the beginning of a sentence. */
export function nameOf(subject: Subject | undefined): string {
  return subject === undefined ? 'It' : `${KINDS[subject.kind]}'${subject.name}'`;
}

/** The same within a sentence. */
export function nameInside(subject: Subject | undefined): string {
  const name = nameOf(subject);
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** A value as a person knows it. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return 'a list';
  if (value === null || value === undefined) return 'empty';
  if (isDate(value)) return 'a date';
  return (typeof value === 'object' ? otherThanJson(value) : undefined) ?? 'an object';
}

/** An expression as a person knows it. */
export function inBraces(code: string): string {
  return `{{ ${shortened(code.trim())} }}`;
}

/** Those that say something, one behind the other. */
export function sentences(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join(' ');
}

/** Text as n8n shows it unchanged: in descriptions and hints it reads HTML. */
export function asHtml(text: string): string {
  return text.replaceAll(/&(?=#?\w+;)/g, '&amp;').replaceAll('<', '&lt;');
}

/** `item 3`, `items 3 and 4`, or `items 3 to 7, 9`. */
export function naming(indexes: Iterable<number>): string {
  const sorted = [...indexes].sort((a, b) => a - b);
  const ranges: [number, number][] = [];
  for (const index of sorted) {
    const last = ranges.at(-1);
    if (last?.[1] === index - 1) last[1] = index;
    else ranges.push([index, index]);
  }
  const texts = ranges.flatMap(([from, to]) =>
    to <= from + 1 ? [...new Set([from, to])].map(String) : [`${from} to ${to}`],
  );
  const shown = texts.length > 10 ? [...texts.slice(0, 10), '…'] : texts;
  return `item${sorted.length === 1 ? '' : 's'} ${shown.join(sorted.length === 2 ? ' and ' : ', ')}`;
}
