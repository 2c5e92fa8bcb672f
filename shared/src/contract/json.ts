import { foreignClass, isRecord } from '../is-record.js';
import type { FieldPath, Problem } from '../messages/problems.js';
import { isRoundedNumber, kindOf } from './property-values.js';
import { refuse } from './rule.js';
import type { JsonValue } from '../types.js';
import * as z from '../zod.js';

/** The value of a JSON text, or `undefined` where it is none. */
export function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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
    const problem =
      one === undefined && typeof name === 'string' ? undefined : jsonProblem(one, [...path, name]);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
