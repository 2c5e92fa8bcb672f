const REDACTED = '[redacted]';

/** Replaces secrets in a text from outside. */
export type Redactor = (text: string) => string;

/**
 * Makes the one function through which every text from outside goes before it becomes part of an error. It
 * replaces each secret: plain, with any of its characters escaped as URLs, JSON or HTML do, and in base64.
 */
export function createRedactor(secrets: readonly string[]): Redactor {
  const patterns = secrets
    .filter((secret) => secret !== '')
    // The longest first, so that no part of a secret stays behind a shorter one.
    .sort((a, b) => b.length - a.length)
    .flatMap((secret) => [escapedForms(secret), base64Forms(secret)]);
  return (text) => patterns.reduce((redacted, pattern) => redacted.replace(pattern, REDACTED), text);
}

const HTML_NAMES: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
};

function escapedForms(secret: string): RegExp {
  const characters = Array.from(secret, (character) => {
    const code = character.codePointAt(0) ?? 0;
    const hex = hexOf(code);
    const name = HTML_NAMES[character];
    const forms = [
      `\\\\*${literal(character)}`,
      `\\\\+u0*${hex}`,
      `\\\\+x${hex}`,
      `%(?:25)*${hex}`,
      `&#0*${code};`,
      `&#[xX]0*${hex};`,
      ...(name === undefined ? [] : [`&${name};`]),
    ];
    return `(?:${forms.join('|')})`;
  });
  return new RegExp(characters.join(''), 'g');
}

/** Hexadecimal digits of either case. */
function hexOf(code: number): string {
  return Array.from(code.toString(16).padStart(2, '0'), (digit) =>
    /[a-f]/.test(digit) ? `[${digit}${digit.toUpperCase()}]` : digit,
  ).join('');
}

function base64Forms(secret: string): RegExp {
  const bytes = Array.from(new TextEncoder().encode(secret), (byte) => String.fromCodePoint(byte));
  const digits = btoa(bytes.join('')).replace(/=+$/, '');
  return new RegExp(`${digits.replace(/\+/g, '[+-]').replace(/\//g, '[/_]')}=*`, 'g');
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}
