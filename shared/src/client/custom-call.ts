import type { HttpMethod } from '../contract/types.js';
import { ValidationError } from '../errors.js';
import type { CallOptions, CustomRequest } from '../http/call.js';
import type { PreparedCall } from '../http/prepared-call.js';
import type { Redactor } from '../http/redact.js';
import * as z from '../zod.js';
import { searchOf } from './calls.js';

/**
 * Makes a call of a method and a path.
 *
 * @throws ValidationError for a path that does not begin with a slash or holds a query.
 */
export function customCall(
  method: HttpMethod,
  path: string,
  { query, body }: CustomRequest,
  { idempotencyKey }: CallOptions,
  redact: Redactor,
): PreparedCall {
  const action = redact(`call ${method} ${path}`);
  if (!/^\/[^\s?#]*$/.test(path))
    throw new ValidationError(`Could not ${action}`, [{ path: ['path'], code: 'notPath' }]);
  const isIdempotent = method === 'GET' || method === 'PUT';
  const repeatability = idempotencyKey === undefined ? 'unsafe' : 'keyed';
  return {
    action,
    path: path + searchOf(query),
    ...(body === undefined ? {} : { body }),
    endpoint: {
      operationId: 'request',
      method,
      path,
      summary: '',
      tag: '',
      repeatability: isIdempotent ? 'idempotent' : repeatability,
      response: z.unknown(),
    },
  };
}
