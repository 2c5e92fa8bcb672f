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
  if (typeof baseUrl !== 'string' || !URL.canParse(baseUrl.trim())) return fail({ code: 'notUrl' });
  const url = new URL(baseUrl.trim());
  const isHttp = url.protocol === 'https:' || url.protocol === 'http:';
  const isPlain = [url.username, url.password, url.search, url.hash].every((part) => part === '');
  if (!isHttp || !isPlain) return fail({ code: 'notUrl' });
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname) && !allowInsecure) {
    return fail({ code: 'unencrypted', given: url.host });
  }
  // Every path begins with /v1, and users copy it with the address.
  return url.origin + url.pathname.replace(/(\/v1)?\/*$/, '');
}
