import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { SandboxError } from '../sandbox-error.js';
import { reasonOf } from '../reason.js';

/** Largest body that is accepted, in bytes: 1 MiB. */
const MAX_BODY_BYTES = 1024 * 1024;

/** Deepest nesting of JSON that is accepted. */
const MAX_JSON_DEPTH = 64;

const NO_BODY = Buffer.alloc(0);

/** Reads a request's whole body. @throws SandboxError 413 when it is larger than {@link MAX_BODY_BYTES}. */
export function readBody(request: IncomingMessage): Promise<Buffer> {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (length === undefined && encoding === undefined) {
    request.resume();
    return Promise.resolve(NO_BODY);
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const tooLarge = () => {
      request.removeAllListeners('data');
      request.resume();
      reject(
        new SandboxError({ code: 'body_too_large', bytes: MAX_BODY_BYTES }, 413, {
          Connection: 'close',
        }),
      );
    };
    if (Number(length ?? 0) > MAX_BODY_BYTES) {
      tooLarge();
      return;
    }
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_BODY_BYTES) tooLarge();
      else chunks.push(chunk);
    });
    request.on('end', () => {
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks));
    });
    request.on('error', reject);
    request.on('close', () => {
      // An error is dear to make, and after every whole request this would be one for nothing.
      if (!request.complete) reject(new ClientGone());
    });
  });
}

/** The client disconnected before its request was complete, so no response is needed. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

/** Text of a body. @throws SandboxError 400 when it is not UTF-8. */
export function bodyText(body: Buffer): string {
  if (!isUtf8(body)) throw new SandboxError({ code: 'body_not_utf8' });
  return body.toString('utf8');
}

/** Reads a body as JSON. @throws SandboxError 400 for what is none or nested too deeply, 415 for another media type. */
export function parseJson(text: string, contentType: string | undefined): unknown {
  if (!isJson(contentType)) {
    throw new SandboxError(
      contentType === undefined
        ? { code: 'body_without_type' }
        : { code: 'body_of_other_type', type: contentType },
      415,
    );
  }
  if (text.trim() === '') throw new SandboxError({ code: 'body_empty' });
  if (depthOf(text) > MAX_JSON_DEPTH) {
    throw new SandboxError({ code: 'body_too_deep', levels: MAX_JSON_DEPTH });
  }
  const value = parsed(text);
  // A schema would drop this name without a word, at any depth.
  if (/__proto__|\\u/.test(text) && hasProto(value)) {
    throw new SandboxError({ code: 'body_with_proto' });
  }
  return value;
}

function hasProto(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hasProto);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SandboxError({ code: 'body_not_json', reason: reasonOf(error) });
  }
}

function isJson(contentType: string | undefined): boolean {
  const mediaType = contentType?.split(';')[0]?.trim().toLowerCase();
  return (
    mediaType !== undefined &&
    (mediaType === 'application/json' || /^application\/[\w.-]+\+json$/.test(mediaType))
  );
}

/** Nesting of brackets outside of strings; counted before parsing so that nothing recursive ever meets more. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === 92) index += 1;
      else if (code === 34) inString = false;
    } else if (code === 34) inString = true;
    else if (code === 123 || code === 91) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (code === 125 || code === 93) depth -= 1;
  }
  return deepest;
}
