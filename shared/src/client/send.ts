import type { CallOptions, PreparedCall } from '../http/call.js';
import type { Pipeline } from '../http/pipeline.js';
import type { WithResponse } from './api-call.js';
import type { SendResult } from './types.js';

/** Sends what has an idempotency key: an email or an event. What `prepare` throws is the promise's. */
export async function send(
  pipeline: Pipeline,
  options: CallOptions | undefined,
  prepareCall: () => PreparedCall,
): Promise<WithResponse<SendResult>> {
  const { deduplicated, response } = await pipeline.write(prepareCall(), options);
  const { attempts, totalRetryDelayMs, idempotencyKey = '' } = response;
  return { data: { success: true, deduplicated, attempts, totalRetryDelayMs, idempotencyKey }, response };
}
