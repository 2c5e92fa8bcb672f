import { isRecord } from '../is-record.js';

/** What a JSON text says. */
export interface JsonText {
  /** `undefined` of a text that is not JSON. */
  readonly value: unknown;
  /** What of it the value lacks; completes a sentence that begins with the name of the text. */
  readonly lost?: string;
}

/**
 * Reads a JSON text that people write, and says what is lost of it: `JSON.parse` keeps the last one of two equal names,
 * and rounds whole numbers of more than 15 digits.
 */
export function parseJsonText(text: string): JsonText {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { value: undefined };
  }
  const names: string[] = [];
  for (const [token, string, colon] of text.matchAll(TOKENS)) {
    if (colon !== undefined) names.push(String(JSON.parse(string ?? '')));
    else if (string === undefined && /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token)))
      return { value, lost: `has the number ${token}, which would be rounded: write it in quotes` };
  }
  const read = namesIn(value);
  const twice = names.find((name) => {
    const index = read.indexOf(name);
    if (index >= 0) read.splice(index, 1);
    return index < 0;
  });
  if (twice === undefined) return { value };
  return { value, lost: `has the name '${twice}' twice: one of the two would be lost` };
}

/** A text, with the colon behind it where it is a name; or a number. */
const TOKENS = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d[\d.eE+-]*/g;

function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  return isRecord(value) ? Object.entries(value).flatMap(([name, one]) => [name, ...namesIn(one)]) : [];
}
