import type { Note } from '../problem.js';
import { listed, lowerFirst, nameOf, quoted } from './text.js';

/** The sentence of the output panel about a note, without its end. */
export function wordNote({ code, subject, names }: Note): string {
  const about = lowerFirst(nameOf(subject));
  switch (code) {
    case 'empty':
      return `${about} is empty`;
    case 'empty-part':
      return `${about} has an empty part`;
    case 'left-out':
      return `${about} had no value and was left out`;
    case 'variables-dropped':
      return `${listed(names, quoted)} was not sent, as the email design has no such variable`;
    case 'unmapped':
      return `${listed(names, quoted)} of the input matched no contact field`;
    case 'nothing-to-change':
      return 'there was nothing to change';
    case 'not-found':
      return 'the contact was not found, so the output is empty';
  }
}
