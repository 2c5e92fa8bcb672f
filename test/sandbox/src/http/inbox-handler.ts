import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { SandboxError } from '../sandbox-error.js';
import { sendText } from './reply.js';
import type { Target } from './target.js';

const PACKAGE_FOLDER = join(__dirname, '..', '..');

/** The files of the inbox by their path, and where in the package they lie. Nothing else is ever read. */
const ASSETS: ReadonlyMap<string, string> = new Map([
  ['/inbox/inbox.css', 'inbox/inbox.css'],
  ['/inbox/icon.svg', 'inbox/icon.svg'],
  ['/favicon.ico', 'inbox/icon.svg'],
  ['/inbox/inbox.js', 'dist/inbox/inbox.js'],
]);

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Serves the inbox: one page, its styles and its scripts, all from this package. */
export class InboxHandler {
  readonly #files = new Map<string, string>();

  /** @param prefix path under which everything lies */
  constructor(private readonly prefix: string) {}

  owns(path: string): boolean {
    return path === '/' || ASSETS.has(path);
  }

  handle(request: IncomingMessage, response: ServerResponse, target: Target): void {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw new SandboxError(
        { code: 'page_method_not_allowed', path: target.path, method: request.method ?? '' },
        405,
        {
          Allow: 'GET, HEAD',
        },
      );
    }
    request.resume();
    const file = ASSETS.get(target.path);
    if (file === undefined) this.#page(response);
    else sendText(response, 200, this.#read(file), MEDIA_TYPES[extname(file)] ?? 'text/plain');
  }

  #page(response: ServerResponse): void {
    const nonce = randomBytes(16).toString('base64');
    sendText(
      response,
      200,
      this.#read('inbox/index.html').replaceAll('NONCE', nonce),
      'text/html; charset=utf-8',
      {
        'Content-Security-Policy': [
          "default-src 'none'",
          `script-src 'nonce-${nonce}'`,
          `style-src 'nonce-${nonce}'`,
          "connect-src 'self'",
          "img-src 'self' data:",
          // Holds for every way a mail could lead its frame elsewhere, too.
          "frame-src 'self'",
          "base-uri 'none'",
          "form-action 'none'",
          "frame-ancestors 'none'",
        ].join('; '),
        'Cross-Origin-Opener-Policy': 'same-origin',
        'Referrer-Policy': 'no-referrer',
      },
    );
  }

  /** The page and its scripts name two paths by their beginning: that of their files, and the control plane's. */
  #below(text: string): string {
    return this.prefix === '' ? text : text.replace(/(?<=["'`])\/(?=inbox\/|__sandbox)/g, `${this.prefix}/`);
  }

  #read(file: string): string {
    const known = this.#files.get(file);
    if (known !== undefined) return known;
    const text = this.#below(readFileSync(join(PACKAGE_FOLDER, file), 'utf8'));
    this.#files.set(file, text);
    return text;
  }
}
