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
  if (host === undefined || host === '') throw new SandboxError("The header 'Host' is missing.");
  const name = hostName(host);
  if (name === 'localhost' || name.endsWith('.localhost') || isIP(name) !== 0 || allowedHosts.has(name))
    return;
  throw new SandboxError(
    `The sandbox does not accept the name '${name}', as a web page could have pointed it here. ${switchesFor(name)}`,
    403,
  );
}

/** All that a person needs to use the sandbox from another machine or container, in one sentence. */
export function switchesFor(name: string): string {
  return `For other machines and containers, start it with --host 0.0.0.0 --allow-host ${name}, with --control-key KEY for the inbox, and set AUDIENCE_ALLOW_INSECURE=true for your program.`;
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
    throw new SandboxError(
      `The control plane accepts no requests from other origins (${origin ?? String(site)}).`,
      403,
    );
  }
}

/**
 * Refuses who may not use the control plane and the inbox: without the control key as a bearer token or password;
 * where there is no such key, from another machine. @throws SandboxError 401 or 403
 */
export function checkControlAccess(request: IncomingMessage, controlKey: string | undefined): void {
  if (controlKey === undefined) {
    if (isLocal(request)) return;
    throw new SandboxError(
      `The control plane and the inbox are open to the machine of the sandbox only. ${switchesFor('NAME')}`,
      403,
    );
  }
  if (isSame(givenKey(request.headers.authorization), controlKey)) return;
  throw new SandboxError(
    "Give the control key of the sandbox: as the password, or as 'Authorization: Bearer KEY'.",
    401,
    { 'WWW-Authenticate': 'Basic realm="Audience sandbox", charset="UTF-8"' },
  );
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
