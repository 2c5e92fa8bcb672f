import { unescape } from 'node:querystring';
import type { AxiosProxyConfig } from 'axios';
import { getProxyForUrl } from 'proxy-from-env';
import { TransportFailure } from './transport.js';

/**
 * The proxy that `HTTPS_PROXY` and `NO_PROXY` name for an https address. axios reads them too, but sends a password as it
 * is written in the address, and takes an address without a scheme for https.
 *
 * @throws TransportFailure where the variable holds no address.
 */
export function proxyFor(url: string): AxiosProxyConfig | false {
  const { https_proxy, HTTPS_PROXY } = process.env;
  const written = [https_proxy, HTTPS_PROXY].find(Boolean);
  if (written === undefined || getProxyForUrl(url) === '') return false;
  const address = written.includes('://') ? written : `http://${written}`;
  if (!URL.canParse(address))
    throw new TransportFailure('network', { networkCode: 'ERR_INVALID_URL', neverSent: true });
  const { protocol, hostname: host, port, username, password } = new URL(address);
  const auth = { username: unescape(username), password: unescape(password) };
  return { protocol, host, port: Number(port), ...(username === '' ? {} : { auth }) };
}
