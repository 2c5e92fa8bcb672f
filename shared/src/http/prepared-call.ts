import type { Endpoint } from '../contract/endpoint.js';
import type * as z from '../zod.js';

/** A request that has been checked. */
export interface PreparedCall<Response extends z.ZodMiniType = z.ZodMiniType> {
  readonly endpoint: Endpoint<z.ZodMiniType, z.ZodMiniType, z.ZodMiniType, Response>;
  /** Path below the base URL, encoded, with its query. */
  readonly path: string;
  /** Body as it goes over the wire. */
  readonly body?: unknown;
  /** What the call does, redacted, for messages: `update contact 'ada@example.com'`. */
  readonly action: string;
}
