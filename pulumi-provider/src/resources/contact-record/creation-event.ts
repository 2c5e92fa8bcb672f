import { eventSchemas, isRecord, isRoundedNumber, readWith } from 'audience-core/internal';
import * as z from 'zod/mini';
import { problem } from '../../messages.js';
import type { Problem } from '../../messages.js';
import { holdsUnknown } from '../raw.js';
import type { Raw } from '../raw.js';

/** An event that creates a contact, as a request has it. */
export const eventSchema = z.strictObject(eventSchemas);
export type CreationEvent = z.infer<typeof eventSchema>;

/** The problem of a `createWithEvent`, where it is known and has one. */
export function eventProblem(event: unknown): Problem | undefined {
  if (event === undefined || holdsUnknown(event)) return undefined;
  const values = isRecord(event) && isRecord(event['eventProperties']) ? event['eventProperties'] : {};
  const rounded = Object.keys(values).find((name) => isRoundedNumber(values[name]));
  if (rounded !== undefined) return problem('event.rounded', { name: rounded });
  const read = readWith(eventSchema, event);
  const [issue] = read.ok ? [] : read.issues;
  return issue && problem('event.wrong', { issue });
}

export function eventOf({ createWithEvent }: Raw): CreationEvent | undefined {
  return createWithEvent === undefined ? undefined : eventSchema.parse(createWithEvent);
}
