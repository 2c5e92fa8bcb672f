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
