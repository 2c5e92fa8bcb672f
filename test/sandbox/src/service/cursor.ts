import { SandboxError } from '../sandbox-error.js';

/** Writes the position of the last item of a page, so that items added later neither repeat nor hide any. */
export function writeCursor(position: number): string {
  return Buffer.from(`after:${position}`).toString('base64url');
}

/** Reads what {@link writeCursor} wrote. @throws SandboxError 400 for anything else. */
export function readCursor(cursor: string): number {
  const position = /^after:(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'))?.[1];
  if (position === undefined || writeCursor(Number(position)) !== cursor) {
    throw new SandboxError({ code: 'unknown_cursor' });
  }
  return Number(position);
}
