import type { CallOptions, PreparedCall, WithResponse } from '../http/call.js';
import type { Pipeline } from '../http/pipeline.js';
import type { SendResult } from './types.js';

/** Sends what has an idempotency key: an email or an event. */
export async function send(
  pipeline: Pipeline,
  call: PreparedCall,
  options: CallOptions | undefined,
): Promise<WithResponse<SendResult>> {
  const { deduplicated, response } = await pipeline.write(call, options);
  const { attempts, totalRetryDelayMs, idempotencyKey = '' } = response;
  return { data: { success: true, deduplicated, attempts, totalRetryDelayMs, idempotencyKey }, response };
}
