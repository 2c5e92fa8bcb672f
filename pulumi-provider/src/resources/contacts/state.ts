import * as z from 'zod/mini';
import type { Run } from '../run.js';
import { inputsSchema } from './inputs.js';

/**
 * Who was upserted, by the first key of the ledger's entry: kept, as a secret, only where `onRemove` needs it. A list
 * of the service's id, the email and the userId, empty where there is none.
 */
const identitiesSchema = z.record(z.string(), z.array(z.string()));

/** Label of a list whose name no program has told. */
export const UNNAMED = 'Contacts';

/** State of many contacts. */
export const outputsSchema = z.extend(inputsSchema, {
  fingerprint: z.string(),
  count: z.number(),
  salt: z.string(),
  columns: z.array(z.string()),
  records: z.string(),
  /** Name of the resource that declared them last, as `Contacts 'customers'`; {@link UNNAMED} where it told none. */
  label: z.string(),
  /** Address of the service that they were written to. */
  service: z.string(),
  /** How often it was replaced: of two copies of one list, the later one counts. */
  generation: z.int(),
  identities: z.optional(identitiesSchema),
  /** Keys of those who left at each of the last replacements, the latest last: a removal may still be pending. */
  left: z.optional(z.array(z.string())),
});

/** State of many contacts: the inputs, and the ledger of what was done. */
export type Outputs = z.infer<typeof outputsSchema>;

/** Whether another service holds them than the one that is asked now. */
export function isOfAnotherService({ service }: Pick<Outputs, 'service'>, { client }: Run): boolean {
  return service !== client.baseUrl;
}
