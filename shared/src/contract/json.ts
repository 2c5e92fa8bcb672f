import { isRecord } from '../is-record.js';
import type { FieldPath, Problem, ProblemDetails } from '../problem.js';
import { isRoundedNumber, kindOf } from './property-values.js';
import type { JsonValue } from './types.js';
import * as z from '../zod.js';

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

/** Deeper values are a mistake, such as an object that holds itself. */
const DEEPEST = 50;

/** Schema of {@link JsonValue}. */
export const jsonValueSchema = z.pipe(
  z.unknown().check(
    z.check((payload) => {
      const problem = jsonProblem(payload.value, []);
      if (problem === undefined) return;
      const { path, ...details } = problem;
      payload.issues.push({
        code: 'custom',
        path: [...path],
        params: { problem: details },
        input: payload.value,
      });
    }),
  ),
  z.custom<JsonValue>(),
);

function jsonProblem(value: unknown, path: FieldPath): Problem | undefined {
  if (path.length > DEEPEST) return { path: [], code: 'tooDeep' };
  if (isRoundedNumber(value)) return { path, code: 'roundedNumber' };
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value))
    return undefined;
  const inner = Array.isArray(value) ? [...value.entries()] : isRecord(value) ? fieldsOf(value) : undefined;
  if (inner === undefined) return { path, code: 'wrongType', expected: 'json', given: kindOf(value) };
  for (const [name, one] of inner) {
    const problem = name === '__proto__' ? unusable(path) : jsonProblem(one, [...path, name]);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** The fields of an object that JSON keeps. */
function fieldsOf(value: Readonly<Record<string, unknown>>): [string, unknown][] {
  return Object.entries(value).filter(([, one]) => one !== undefined);
}

function unusable(path: FieldPath): Problem {
  return { path, code: 'unusableName', given: '__proto__' };
}
