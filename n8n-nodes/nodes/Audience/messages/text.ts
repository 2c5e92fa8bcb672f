import { isDate } from '../dates.js';
import type { Subject } from '../problem.js';

const LONGEST_SHOWN = 80;
const MOST_NAMES = 12;

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

/** Names one behind the other; of many the first ones. */
export function listed(names: readonly string[] = [], each: (name: string) => string = String): string {
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : '';
  return names.length === 0 ? 'none' : names.slice(0, MOST_NAMES).map(each).join(', ') + more;
}

/** A name in quotes. The mark at the beginning of a file is invisible as it is. */
export function quoted(text: string): string {
  return `'${shortened(text.replace('\uFEFF', '\\uFEFF'))}'`;
}

/** The beginning of a long text. */
export function shortened(text: string): string {
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}

/** Facts of a sentence by their names in braces. */
export type Facts = Readonly<Record<string, string | number>>;

export function filled(sentence: string, facts: Facts): string {
  return sentence.replaceAll(/\{(\w+)\}/g, (all, name: string) => String(facts[name] ?? all));
}

/** A value as a person knows it. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return `'${shortened(value)}'`;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return 'a list';
  if (value === null || value === undefined) return 'empty';
  return isDate(value) ? 'a date' : 'an object';
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
