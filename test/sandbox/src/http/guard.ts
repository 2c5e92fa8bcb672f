import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type { IncomingMessage } from 'node:http';
import { SandboxError } from '../sandbox-error.js';

/**
 * Refuses a Host header with another name than `localhost`, a plain address or an allowed one: a web page can make its
 * own name point at this machine (DNS rebinding) and would then read the sandbox. @throws SandboxError 403 or 400
 */
export function checkHost(request: IncomingMessage, allowedHosts: ReadonlySet<string>): void {
  const host = request.headers.host;
  if (host === undefined || host === '') throw new SandboxError({ code: 'no_host_header' });
  const name = hostName(host);
  if (name === 'localhost' || name.endsWith('.localhost') || isIP(name) !== 0 || allowedHosts.has(name))
    return;
  throw new SandboxError({ code: 'host_not_allowed', name }, 403);
}

function hostName(host: string): string {
  return (/^\[(.+)\](?::\d+)?$/.exec(host)?.[1] ?? host.replace(/:\d+$/, '')).toLowerCase();
}

/** Refuses a request that a page of another origin makes a browser send. @throws SandboxError 403 */
export function checkOrigin(request: IncomingMessage): void {
  const { origin, host } = request.headers;
  const site = request.headers['sec-fetch-site'];
  const foreign =
    origin === undefined ? site === 'cross-site' || site === 'same-site' : hostOf(origin) !== host;
  if (foreign) {
    throw new SandboxError({ code: 'other_origin', origin: origin ?? String(site) }, 403);
  }
}

/**
 * Refuses who may not use the control plane and the inbox: without the control key as a bearer token or password;
 * where there is no such key, from another machine. @throws SandboxError 401 or 403
 */
export function checkControlAccess(request: IncomingMessage, controlKey: string | undefined): void {
  if (controlKey === undefined) {
    if (isLocal(request)) return;
    throw new SandboxError({ code: 'control_plane_local', name: 'NAME' }, 403);
  }
  if (isSame(givenKey(request.headers.authorization), controlKey)) return;
  throw new SandboxError({ code: 'no_control_key' }, 401, {
    'WWW-Authenticate': 'Basic realm="Audience sandbox", charset="UTF-8"',
  });
}

export function isLocal({ socket }: IncomingMessage): boolean {
  return /^(::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? '');
}

function givenKey(authorization = ''): string {
  const [, scheme = '', credentials = ''] = /^(\w+) +(.*)$/.exec(authorization) ?? [];
  if (scheme.toLowerCase() !== 'basic') return credentials;
  const userAndPassword = Buffer.from(credentials, 'base64').toString('utf8');
  return userAndPassword.slice(userAndPassword.indexOf(':') + 1);
}

function isSame(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
