import { isRecord, readWith } from 'audience-core/internal';
import type { AudienceApi } from 'audience-core/internal';
import type * as z from 'zod/mini';
import type { Problem } from '../resources/errors.js';
import type { Raw } from '../resources/raw.js';

/** What a function is declared with. */
export interface Definition<Args, Result> {
  /** Schema of the arguments. */
  readonly args: z.ZodMiniType<Args>;
  /** Schema of what {@link DataFunction.invoke} responds with. */
  readonly result: z.ZodMiniType;
  /** Reads the service. */
  read(args: Args, client: AudienceApi): Promise<Result>;
  /** The result as an object; itself unless given. */
  asObject?(result: Result): Raw;
}

/** What an invocation came to: an object of the function's schema, or what is wrong with the arguments. */
export type Invoked =
  { readonly ok: true; readonly result: Raw } | { readonly ok: false; readonly problems: readonly Problem[] };

/** A function that reads the service, free of any host. */
export interface DataFunction {
  /** Schema of the arguments. */
  readonly args: z.ZodMiniType;
  /** Schema of what {@link invoke} responds with. */
  readonly result: z.ZodMiniType;
  /** Reads arguments of which nothing is known, and the service. */
  invoke(args: Raw, client: AudienceApi): Promise<Invoked>;
}

/** A function of the registry. */
export function dataFunction<Args, Result>(
  definition: Definition<Args, Result>,
): DataFunction & Definition<Args, Result> {
  return {
    ...definition,
    async invoke(raw, client) {
      const args = readWith(definition.args, raw);
      if (!args.ok) {
        const problems = args.issues.map(({ path, message }) => ({
          property: path.join('.'),
          reason: message,
        }));
        return { ok: false, problems };
      }
      const result = await definition.read(args.data, client);
      const object: unknown = definition.asObject?.(result) ?? result;
      return { ok: true, result: isRecord(object) ? object : {} };
    },
  };
}
