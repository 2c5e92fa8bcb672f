const LONGEST_SHOWN = 80;

/** The beginning of a long text. */
export function shortened(text: string): string {
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}

/** Those that say something, one behind the other. */
export function sentences(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join(' ');
}

/** Text as n8n shows it unchanged: in descriptions and hints it reads HTML. */
export function asHtml(text: string): string {
  return text.replaceAll(/&(?=#?\w+;)/g, '&amp;').replaceAll('<', '&lt;');
}

/** A value as n8n writes it among other parts of a text. */
export function asPart(value: unknown): string {
  return [value].join('');
}

/** Whether the texts or names of a value hold a word. */
export function holds(value: unknown, word: string): boolean {
  if (typeof value === 'string') return value.includes(word);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, inner]) => name.includes(word) || holds(inner, word));
}

/** An expression as a person knows it. */
export function inBraces(code: string): string {
  return `{{ ${shortened(code.trim())} }}`;
}
