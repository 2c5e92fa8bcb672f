import { ValidationError } from '../errors.js';
import type { ProblemDetails } from '../messages/problems.js';

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Checks a base URL; returns it without a slash at its end. A path in it is kept.
 *
 * The API key goes with every request, so plain http is allowed for this machine only (`localhost`, 127.x.x.x,
 * `[::1]`) unless `allowInsecure` is set.
 *
 * @throws ValidationError that says what is wrong and what to write instead.
 */
export function normalizeBaseUrl(baseUrl: unknown, allowInsecure = false): string {
  const fail = (problem: ProblemDetails): never => {
    throw new ValidationError('The base URL cannot be used', [{ path: ['baseUrl'], ...problem }]);
  };
  if (typeof baseUrl !== 'string' && baseUrl !== undefined && baseUrl !== null)
    return fail({ code: 'wrongType', expected: 'string' });
  if (typeof baseUrl !== 'string' || baseUrl.trim() === '') return fail({ code: 'noBaseUrl' });
  if (!URL.canParse(baseUrl.trim())) return fail({ code: 'notUrl' });
  const url = new URL(baseUrl.trim());
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return fail({ code: 'notHttp' });
  if (url.username !== '' || url.password !== '') return fail({ code: 'hasPassword' });
  if (url.search !== '' || url.hash !== '') return fail({ code: 'hasQuery' });
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname) && !allowInsecure) {
    return fail({ code: 'unencrypted', given: url.host });
  }
  // Every path begins with /v1, and users copy it with the address.
  return url.origin + url.pathname.replace(/(\/v1)?\/*$/, '');
}
