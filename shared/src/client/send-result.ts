import type { PipelineResult } from '../http/pipeline.js';
import { withResponse } from './response-of.js';
import type { SendResult } from './types.js';

/** What a keyed write answers. */
export function sendResult({ deduplicated, response }: PipelineResult<unknown>): SendResult {
  const { attempts, totalRetryDelayMs, idempotencyKey = '' } = response;
  return withResponse({ success: true, deduplicated, attempts, totalRetryDelayMs, idempotencyKey }, response);
}
