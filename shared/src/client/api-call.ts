import type { WithResponse } from '../http/call.js';

/** The promise of a result; `withResponse()` gives the HTTP response too. */
export interface ApiCall<Result> extends Promise<Result> {
  /**
   * The result with the HTTP response behind it: status, headers, body text, request id, attempts and waits.
   *
   * ```ts
   * const { data, response } = await audience.contacts.get('ada@example.com').withResponse();
   * ```
   */
  withResponse(): Promise<WithResponse<Result>>;
}

/** Makes an {@link ApiCall} of work that knows its response. What the work throws is the promise's. */
export function apiCall<Result>(work: () => Promise<WithResponse<Result>>): ApiCall<Result> {
  const begun = work();
  const result = begun.then(({ data }) => data);
  return Object.assign(result, {
    withResponse: () => {
      // Who asks for the response gets its failure there.
      result.catch(() => undefined);
      return begun;
    },
  });
}
