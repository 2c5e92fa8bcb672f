import type { CallOptions } from 'audience-core';
import * as z from 'zod';
import { isEmpty } from '../helpers/values.js';
import type { Item } from './operation.js';

const sendOnceSchema = z.enum(['run', 'content']).catch('run');

/**
 * What to pass to the service so that this email or event goes out once: the person's own key, or one derived
 * from what stays the same when n8n carries out the same item again.
 */
export function sendingOptions(item: Item, operation: string, content: unknown): CallOptions {
  const { parameters, keys, signal } = item;
  const own = parameters.raw('options.idempotencyKey');
  const sendOnce = sendOnceSchema.parse(parameters.raw('options.sendOnce'));
  const idempotencyKey = isEmpty(own)
    ? keys.keyFor(sendOnce, parameters.itemIndex, operation, content)
    : String(own);
  return { idempotencyKey, deterministicKey: true, signal };
}

/** Map of subscription groups to change, from the two multiple choices. */
export function readGroups(item: Item, parent: string): Record<string, boolean> | undefined {
  const join = item.parameters.ids(`${parent}.subscribeTo`, 'Subscribe to Groups');
  const leave = item.parameters.ids(`${parent}.unsubscribeFrom`, 'Unsubscribe From Groups');
  if (join.length === 0 && leave.length === 0) return undefined;
  return Object.fromEntries([
    ...join.map((id): [string, boolean] => [id, true]),
    ...leave.map((id): [string, boolean] => [id, false]),
  ]);
}
