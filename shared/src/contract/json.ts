import type { ProblemDetails } from '../problem.js';

/** What a JSON text says. */
export interface JsonText {
  /** `undefined` of a text that is not JSON. */
  readonly value: unknown;
  /** What of it the value lacks. */
  readonly lost?: ProblemDetails;
}

/** Reads a JSON text that a user wrote. It reports repeated names and rounded numbers, which `JSON.parse` hides. */
export function parseJsonText(text: string): JsonText {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { value: undefined };
  }
  const lost = lostIn(text);
  return lost === undefined ? { value } : { value, lost };
}

/** A text, with the colon behind it where it is a name; a number; or where an object or list begins or ends. */
const TOKENS = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|-?\d[\d.eE+-]*|[{}[\]]/g;

function lostIn(json: string): ProblemDetails | undefined {
  /** The names of each object and list that is open. */
  const open: Set<string>[] = [];
  for (const [token, text, colon] of json.matchAll(TOKENS)) {
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else if (text !== undefined && colon !== undefined) {
      const name = String(JSON.parse(text));
      if (open.at(-1)?.has(name)) return { code: 'repeatedName', given: name };
      open.at(-1)?.add(name);
    } else if (text === undefined && /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token))) {
      return { code: 'roundedNumber', given: token };
    }
  }
  return undefined;
}
