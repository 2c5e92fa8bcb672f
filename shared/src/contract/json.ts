import { foreignClass, isRecord } from '../is-record.js';
import type { FieldPath, Problem, ProblemDetails } from '../messages/problems.js';
import { isRoundedNumber, kindOf } from './property-values.js';
import { refuse } from './rule.js';
import type { JsonValue } from './types.js';
import * as z from '../zod.js';

/** What a JSON text says. */
export interface JsonText {
  /** `undefined` of a text that is not JSON. */
  readonly value: unknown;
  /** What of it the value lacks. */
  readonly lost?: ProblemDetails;
}

/** Reads a JSON text that a user wrote. It reports a rounded number, which `JSON.parse` hides. */
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

/** A text, or a number. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

function lostIn(json: string): ProblemDetails | undefined {
  const wholeNumbers = [...json.matchAll(TOKENS)]
    .map(([token]) => token)
    .filter((token) => /^-?\d+$/.test(token));
  const rounded = wholeNumbers.find((number) => !Number.isSafeInteger(Number(number)));
  return rounded === undefined ? undefined : { code: 'roundedNumber', given: rounded };
}

/** Deeper values are a mistake, such as an object that holds itself. */
const DEEPEST = 50;

/** Schema of {@link JsonValue}. */
export const jsonValueSchema = z.pipe(
  z.unknown().check(refuse((value: unknown) => jsonProblem(value, []))),
  z.custom<JsonValue>(),
);

function jsonProblem(value: unknown, path: FieldPath): Problem | undefined {
  // JSON keeps no undefined field of an object.
  if (value === undefined && path.length === 0) return undefined;
  if (path.length > DEEPEST) return { path: [], code: 'tooDeep' };
  if (isRoundedNumber(value)) return { path, code: 'roundedNumber' };
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value))
    return undefined;
  const given = foreignClass(value);
  const wayOut = given === 'Date' ? 'text, such as date.toISOString()' : undefined;
  if (given !== undefined) return { path, code: 'wrongType', expected: 'json', given, wayOut };
  const inner = Array.isArray(value) ? value.entries() : isRecord(value) ? Object.entries(value) : undefined;
  if (inner === undefined) return { path, code: 'wrongType', expected: 'json', given: kindOf(value) };
  for (const [name, one] of inner) {
    if (name === '__proto__') return { path, code: 'unusableName', given: name };
    const problem =
      one === undefined && typeof name === 'string' ? undefined : jsonProblem(one, [...path, name]);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
