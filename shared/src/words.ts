/** Names in a list; of more, the rest is counted. */
const MOST_NAMES = 12;

/** Characters of a text from outside. */
const LONGEST_TEXT = 80;

/**
 * Puts facts into a sentence. A name without a fact stays as it is.
 *
 * - `{name}`: the fact, worded by `word`
 * - `{names!}`: names in quotes
 * - `{count:row}`: a number with its noun
 * - `{count?is/are}`: the word for one, or for another number
 */
export function fill(sentence: string, facts: object, word: (fact: unknown) => string = plain): string {
  const values = new Map<string, unknown>(Object.entries(facts));
  return sentence.replaceAll(/\{(\w+)(?:([!:?])([^{}]*))?\}/g, (slot, name: string, kind = '', rest = '') => {
    const value = values.get(name);
    if (value === undefined) return slot;
    if (kind === '!') return listed([value].flat().map(String), quoted);
    if (kind === ':') return counted(Number(value), String(rest));
    if (kind === '?') return String(rest).split('/')[value === 1 ? 0 : 1] ?? '';
    return word(value);
  });
}

/** A sentence of a catalogue: a text with slots for facts, as {@link fill} reads it, or a function of the facts. */
export type Sentence<Facts extends object = never> = string | ((facts: Facts) => string);

type NameOf<Slot> = Slot extends `${infer Name}${'!' | ':' | '?'}${string}` ? Name : Slot;
type NamesIn<Text> = Text extends `${string}{${infer Slot}}${infer Rest}`
  ? NameOf<Slot> | NamesIn<Rest>
  : never;

/** The facts of a sentence: one for each slot, or what its function takes. */
export type FactsOf<One extends Sentence, Fact = unknown> = One extends (facts: infer Facts) => string
  ? Facts
  : Readonly<Record<NamesIn<One> & string, Fact>>;

/** A sentence of a catalogue with its facts. */
export function wordSentence<Facts extends object>(
  sentence: Sentence<Facts>,
  facts: Facts,
  word?: (fact: unknown) => string,
): string {
  return typeof sentence === 'string' ? fill(sentence, facts, word) : sentence(facts);
}

function plain(fact: unknown): string {
  return Array.isArray(fact) ? fact.join(', ') : String(fact);
}

/** `a, b and 3 more`; `none` of no names. */
export function listed(
  names: readonly string[],
  each: (name: string) => string = String,
  most = MOST_NAMES,
): string {
  if (names.length === 0) return 'none';
  const rest = names.length - most;
  return names.slice(0, most).map(each).join(', ') + (rest > 0 ? ` and ${digits(rest)} more` : '');
}

/** A name or text in quotes, shortened. */
export function quoted(text: string): string {
  return `'${shortened(text)}'`;
}

/** The beginning of a long text. */
export function shortened(text: string, most = LONGEST_TEXT): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

/** `1 row`, `3,000 rows`. */
export function counted(number: number, noun: string): string {
  return `${digits(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** `3,000`. */
export function digits(number: number): string {
  return number.toLocaleString('en');
}

/** Text with a full stop, unless it ends in another mark, as a text to copy does. */
export function sentence(text: string): string {
  return /[.?!,:]$/.test(text) ? text : `${text}.`;
}

/** ` (did you mean 'email'?)`, or nothing where nothing is near. */
export function didYouMean(name: string | undefined): string {
  return name === undefined ? '' : ` (did you mean '${name}'?)`;
}
