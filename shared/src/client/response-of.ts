import type { ResponseInfo } from '../http/pipeline.js';

const responses = new WeakMap<object, ResponseInfo>();

/** Remembers the answer behind a result. */
export function withResponse<Result extends object>(result: Result, response: ResponseInfo): Result {
  responses.set(result, response);
  return result;
}

/**
 * The HTTP answer behind a result of this package: status, headers, body text, request id, attempts and waits.
 *
 * ```ts
 * const contact = await audience.contacts.get('ada@example.com');
 * const { headers, attempts } = responseOf(contact);
 * ```
 *
 * @throws TypeError for an object that no call of this package answered with.
 */
export function responseOf(result: object): ResponseInfo {
  const response = responses.get(result);
  if (response === undefined) {
    throw new TypeError(
      'There is no response to this object: pass the very object that a call answered with.',
    );
  }
  return response;
}
