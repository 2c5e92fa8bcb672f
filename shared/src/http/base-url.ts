import { ValidationError } from '../errors.js';

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
  const fail = (message: string): never => {
    throw new ValidationError('The base URL cannot be used', [{ path: ['baseUrl'], message }]);
  };
  if (typeof baseUrl !== 'string' && baseUrl !== undefined && baseUrl !== null) return fail('must be text');
  if (typeof baseUrl !== 'string' || baseUrl.trim() === '')
    return fail('is missing: give the address of the service, such as https://api.example.com');
  if (!URL.canParse(baseUrl.trim()))
    return fail(`is not a URL: write it whole, such as https://api.example.com`);
  const url = new URL(baseUrl.trim());
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return fail('must begin with https://, or on this machine with http://');
  if (url.username !== '' || url.password !== '') return fail('must not hold a user name or password');
  if (url.search !== '' || url.hash !== '') return fail("must end before any '?' or '#'");
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname) && !allowInsecure) {
    return fail(
      `must begin with https://: with http://, the API key is sent unencrypted to ${url.host}. For a service in a trusted network, set 'allowInsecure'`,
    );
  }
  const path = url.pathname.replace(/\/+$/, '');
  if (path.endsWith('/v1')) return fail("must end before '/v1', which every path of the service begins with");
  return url.origin + path;
}
