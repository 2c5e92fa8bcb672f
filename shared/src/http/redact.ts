const REDACTED = '[redacted]';

/** Replaces secrets in a text from outside. */
export type Redactor = (text: string) => string;

/** Makes a function that replaces secrets (plain, escaped and in base64) and control characters in a text. */
export function createRedactor(secrets: readonly string[]): Redactor {
  const patterns = secrets
    .filter((secret) => secret !== '')
    // The longest first, so that no part of a secret stays behind a shorter one.
    .sort((a, b) => b.length - a.length)
    .flatMap((secret) => [escapedForms(secret), ...(secret.length < 6 ? [] : [base64Forms(secret)])]);
  return (text) =>
    patterns
      .reduce((redacted, pattern) => redacted.replace(pattern, REDACTED), text)
      .replace(UNPRINTABLE, ' ');
}

/** Control characters and overrides of the writing direction could move a cursor or forge a line of a log. */
// eslint-disable-next-line no-control-regex -- these are the characters meant
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g;

const HTML_NAMES: Partial<Record<string, string>> = {
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
    // Bounded, so that no search is slow.
    const forms = [
      `\\\\{0,8}${literal(character)}`,
      `\\\\{1,8}u0{0,4}${hex}`,
      `\\\\{1,8}x${hex}`,
      `%(?:25){0,4}${hex}`,
      `&(?:amp;)?#0{0,4}${code};`,
      `&(?:amp;)?#[xX]0{0,4}${hex};`,
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

/** Alone, and inside longer base64, where its digits depend on the number of bytes before it. */
function base64Forms(secret: string): RegExp {
  const bytes = Array.from(new TextEncoder().encode(secret), (byte) => String.fromCodePoint(byte));
  const digitsAfter = (before: number) =>
    btoa([...Array<string>(before).fill(' '), ...bytes].join('')).replace(/=+$/, '');
  const inside = [0, 1, 2].map((before) => {
    const digits = digitsAfter(before);
    return digits.slice(Math.ceil((before * 4) / 3), (before + bytes.length) % 3 === 0 ? undefined : -1);
  });
  const forms = [`${digitsAfter(0)}=*`, ...inside].map((digits) =>
    digits.replace(/\+/g, '[+-]').replace(/\//g, '[/_]'),
  );
  return new RegExp(forms.join('|'), 'g');
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}
