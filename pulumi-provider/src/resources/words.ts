import { nearest } from 'audience-core/internal';
import { problem } from './errors.js';
import type { Problem } from './errors.js';
import type { Raw } from './raw.js';

export function sentence(reason: string): string {
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
}

/** `1 contact`, `3,000 contacts`. */
export function contactsOf(number: number): string {
  return counted(number, 'contact');
}

/** `1 row`, `3,000 rows`. */
export function counted(number: number, noun: string): string {
  return `${digits(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** `3,000`. */
export function digits(number: number): string {
  return number.toLocaleString('en');
}

/** The first seven, and how many more there are. */
export function limited(sentences: readonly string[]): string[] {
  const shown = sentences.slice(0, 7);
  const rest = sentences.length - shown.length;
  return rest === 0 ? shown : [...shown, `and ${digits(rest)} more`];
}

/** Text for an unknown input: the nearest known one, or all of them. */
export function unknownInput(name: string, names: readonly string[], noun = 'input'): string {
  const near = nearest(name, names);
  const known = near === undefined ? `The ${noun}s are ${names.join(', ')}` : `Did you mean '${near}'?`;
  return `Unknown ${noun} '${name}'. ${known}`;
}

export function unknownInputs(inputs: Raw, names: readonly string[], noun?: string): Problem[] {
  const unknown = Object.keys(inputs).filter((name) => !names.includes(name));
  return unknown.map((name) => problem(unknownInput(name, names, noun)));
}
