import { canonicalJson, isRecord } from 'audience-core/internal';
import type { Kind } from './kinds.js';

/** A field that is not as a filter has it. */
export interface Difference {
  /** Its name; within a map `variables.planName`. */
  readonly name: string;
  readonly value: unknown;
  readonly wanted: unknown;
}

/** Fields that are compared without case; we assume this of addresses. */
const CASELESS: readonly string[] = ['to', 'email'];

/** The fields in which a thing is not as the filter has it; none where it fits. */
export function differences<Stored extends { readonly id: string }, Item, Filter extends object>(
  kind: Pick<Kind<Stored, Item, Filter>, 'values'>,
  stored: Stored,
  filter: Filter,
): Difference[] {
  return Object.entries(filter).flatMap(([name, wanted]: [string, unknown]) => {
    if (name === 'after') return [];
    const values = kind.values?.(stored, name) ?? [Reflect.get(stored, name)];
    const all = values.map((value) => compared(name, name, value, wanted));
    return all.find((found) => found.length === 0) ?? all[0] ?? [];
  });
}

function compared(field: string, name: string, value: unknown, wanted: unknown): Difference[] {
  if (isRecord(wanted) && (value === undefined || value === null || isRecord(value))) {
    const inner = new Map(Object.entries(value ?? {}));
    return Object.entries(wanted).flatMap(([key, one]) =>
      compared(field, `${name}.${key}`, inner.get(key), one),
    );
  }
  return isSame(field, value ?? null, wanted) ? [] : [{ name, value, wanted }];
}

function isSame(field: string, value: unknown, wanted: unknown): boolean {
  if (CASELESS.includes(field) && typeof value === 'string' && typeof wanted === 'string')
    return value.toLowerCase() === wanted.toLowerCase();
  return value === wanted || canonicalJson(value) === canonicalJson(wanted);
}
