import type { CallOptions, WithResponse } from '../http/call.js';
import type { PreparedCall } from '../http/prepared-call.js';
import type { Pipeline } from '../http/pipeline.js';
import type { SendResult, WriteResult } from './types.js';

/** Sends what has an idempotency key: an email or an event. */
export async function send(
  pipeline: Pipeline,
  call: PreparedCall,
  options: CallOptions | undefined,
): Promise<WithResponse<SendResult>> {
  const { deduplicated, response } = await pipeline.write(call, options);
  const { idempotencyKey = '' } = response;
  return { data: { ...written(deduplicated, response), idempotencyKey }, response };
}

export function written(
  deduplicated: boolean,
  { attempts, totalRetryDelayMs }: Omit<WriteResult, 'success' | 'deduplicated'>,
): WriteResult {
  return { success: true, deduplicated, attempts, totalRetryDelayMs };
}
