import type { Subject } from '../problem.js';
import { listed, nameOf, quoted } from './text.js';

const NOTES = {
  empty: '{subject} is empty',
  'empty-part': '{subject} has an empty part',
  'left-out': '{subject} had no value and was left out',
  'variables-dropped': '{names} was not sent, as the email design has no such variable',
  unmapped: '{names} of the input matched no contact field',
  'nothing-to-change': 'there was nothing to change',
  'not-found': 'the contact was not found, so the output is empty',
} as const;

/** Something that the output panel should say of an item. */
export interface Note {
  readonly code: keyof typeof NOTES;
  readonly subject?: Subject;
  readonly names?: readonly string[];
}

/** A note as the end of a sentence. */
export function wordNote({ code, subject, names }: Note): string {
  const about = nameOf(subject);
  return NOTES[code]
    .replace('{subject}', `${about.charAt(0).toLowerCase()}${about.slice(1)}`)
    .replace('{names}', listed(names, quoted));
}
