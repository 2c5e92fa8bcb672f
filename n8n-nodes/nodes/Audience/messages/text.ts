import { fill, listed, quoted, shortened } from 'audience-core/internal';
import { isDate, otherThanJson } from '../dates.js';
import type { Problem, Subject } from '../problem.js';
import { FILL, FORMS, NOTES, PROBLEMS, type Form, type Words } from './problems.js';
import { workflowToStart } from './run.js';

export interface Message {
  readonly what: string;
  readonly wayOut: string;
}

/** Something that the output panel should say of an item. */
export interface Note {
  readonly code: keyof typeof NOTES;
  readonly subject?: Subject;
  readonly names?: readonly string[];
}

const KINDS: Readonly<Record<Subject['kind'], string>> = {
  field: '',
  argument: 'The argument ',
  variable: 'The variable ',
  'contact field': 'The contact field ',
  'event property': 'The event property ',
};

/** The sentences about an input that cannot be used. A model cannot change the node: it can only call the tool again. */
export function wordProblem(problem: Problem, isForModel: boolean): Message {
  const { subject, expected = 'string' } = problem;
  const [what, wayOut]: Words = PROBLEMS[problem.code];
  const form: Form = FORMS[expected];
  const facts = factsOf(problem);
  const said = fill(subject?.kind === 'argument' ? what.replace(FILL, '{subject}') : what, facts);
  // No value that a model gives solves a problem of the run, which has no subject.
  if (isForModel && subject !== undefined)
    return { what: said, wayOut: 'Call the tool again with another value for it.' };
  return { what: said, wayOut: fill(form.wayOut ?? wayOut, facts) };
}

/** The facts by the names that the catalogue has for them: `{part}` is an expression in braces, `{0}` the first name. */
function factsOf({ subject, part = '', given, isSubWorkflow, expected = 'string', names = [] }: Problem) {
  const facts = {
    ...Object.fromEntries(names.entries()),
    subject: nameOf(subject),
    part: inBraces(part),
    given: shown(given),
    names: listed(names),
    workflow: workflowToStart(isSubWorkflow),
  };
  return { ...facts, expected: fill(FORMS[expected].what, facts) };
}

/** A note as the end of a sentence. */
export function wordNote({ code, subject, names = [] }: Note): string {
  return fill(NOTES[code], { subject: nameInside(subject), names: listed(names, quoted) });
}

/** What a message calls its subject, as the beginning of a sentence. */
export function nameOf(subject: Subject | undefined): string {
  return subject === undefined ? 'It' : `${KINDS[subject.kind]}'${subject.name}'`;
}

export function nameInside(subject: Subject | undefined): string {
  const name = nameOf(subject);
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** A value as a user knows it. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return 'a list';
  if (value === null || value === undefined) return 'empty';
  if (isDate(value)) return 'a date';
  return (typeof value === 'object' ? otherThanJson(value) : undefined) ?? 'an object';
}

/** An expression as a user knows it. */
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

/** `item 3`, or `items 3, 4, 9`. */
export function naming(indexes: Iterable<number>): string {
  const sorted = [...indexes].sort((a, b) => a - b).map(String);
  return `item${sorted.length === 1 ? '' : 's'} ${listed(sorted)}`;
}
