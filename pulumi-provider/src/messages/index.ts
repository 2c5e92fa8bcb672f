import { wordSentence, type FactsOf, type Sentence } from 'audience-core/internal';
import { SENTENCES } from './sentences.js';
import { wordFact, type Named } from './words.js';

export type { Counted, PlanKind } from './plan.js';
export { SENTENCES } from './sentences.js';

type Sentences = typeof SENTENCES;
export type Code = keyof Sentences;

type Fact = string | number | readonly string[] | Named;
type Facts = { readonly [Name in Code]: FactsOf<Sentences[Name], Fact> };
const BY_CODE: { readonly [Name in Code]: Sentence<Facts[Name]> } = SENTENCES;

/** Something that the user should know, as data. */
export interface Problem<Name extends Code = Code> {
  readonly code: Name;
  readonly facts: Facts[Name];
  /** Name of the input; empty for the resource as a whole. */
  readonly property: string;
}

/** Reports problems to the user. */
export interface Reporter {
  info(problem: Problem): void;
  warn(problem: Problem): void;
}

export function problem<Name extends Code>(code: Name, facts: Facts[Name], property = ''): Problem<Name> {
  return { code, facts, property };
}

/** Words a problem. `hide` gets each text in its facts, and replaces a secret. */
export function textOf<Name extends Code>(
  { code, facts }: Problem<Name>,
  hide: (fact: string) => string = (fact) => fact,
): string {
  return wordSentence<Facts[Name]>(BY_CODE[code], withHidden(facts, hide), wordFact);
}

function withHidden<Value>(value: Value, hide: (fact: string) => string, isValue?: boolean): Value;
function withHidden(value: unknown, hide: (fact: string) => string, isValue = false): unknown {
  // A number is a value of the program only in an issue: elsewhere it counts.
  const text = typeof value === 'number' && isValue ? String(value) : value;
  if (typeof text === 'string') return hide(text) === text ? value : hide(text);
  if (Array.isArray(value)) return value.map((inner: unknown) => withHidden(inner, hide, isValue));
  if (typeof value !== 'object' || value === null || value instanceof Map) return value;
  const entries = Object.entries(value).map(([name, inner]): [string, unknown] => [
    name,
    withHidden<unknown>(inner, hide, isValue || name === 'issue'),
  ]);
  return Object.fromEntries<unknown>(entries);
}
