import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { ResourceError } from '../errors.js';

/**
 * A file's text, in chunks: it is never held as a whole.
 *
 * @throws ResourceError when the file cannot be read or is not UTF-8; the message names file and line.
 */
export async function* readText(file: string): AsyncGenerator<string, void> {
  const handle = await opened(file);
  try {
    yield* decode(file, handle);
  } catch (error) {
    throw isOfSystem(error) ? new ResourceError(cannotBeRead(file, error)) : error;
  } finally {
    await handle.close();
  }
}

async function* decode(file: string, handle: FileHandle): AsyncGenerator<string, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const chunks: AsyncIterable<Buffer> = handle.createReadStream({ autoClose: false });
  let line = 1;
  for await (const chunk of chunks) {
    let text: string;
    try {
      text = decoder.decode(chunk, { stream: true });
    } catch {
      throw new ResourceError(notUtf8(file, line + linesBeforeFault(chunk)));
    }
    const [clean = '', ...others] = text.split('\0');
    if (others.length > 0)
      throw new ResourceError(
        notUtf8(file, line + clean.split('\n').length - 1, 'a NUL character, which no text has'),
      );
    line += text.split('\n').length - 1;
    yield text;
  }
  try {
    yield decoder.decode();
  } catch {
    throw new ResourceError(notUtf8(file, line));
  }
}

/** Lines end with the same byte in every encoding that is taken for UTF-8, so each can be looked at by itself. */
function linesBeforeFault(chunk: Buffer): number {
  let number = 0;
  for (let start = 0; start < chunk.length; number += 1) {
    const found = chunk.indexOf(0x0a, start);
    const end = found < 0 ? chunk.length : found;
    try {
      // The chunk may begin within a character; what begins it is no fault then.
      const skipped =
        start === 0
          ? Math.max(
              0,
              chunk.subarray(0, 3).findIndex((byte) => (byte & 0xc0) !== 0x80),
            )
          : 0;
      new TextDecoder('utf-8', { fatal: true }).decode(chunk.subarray(start + skipped, end));
    } catch {
      return number;
    }
    start = end + 1;
  }
  return Math.max(0, number - 1);
}

function notUtf8(file: string, line: number, what = 'bytes that cannot be read as such'): string {
  return `'${file}' is not UTF-8 text: line ${line} holds ${what}. Save it as UTF-8; a spreadsheet program calls that form 'CSV UTF-8'.`;
}

function isOfSystem(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

async function opened(file: string): Promise<FileHandle> {
  try {
    const handle = await open(file);
    if ((await handle.stat()).isFile()) return handle;
    await handle.close();
  } catch (error) {
    throw new ResourceError(cannotBeRead(file, error));
  }
  throw new ResourceError(`Contacts cannot be read from '${file}': it is no file. Give the path of a file.`);
}

function cannotBeRead(file: string, error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  const why = code === 'ENOENT' ? 'there is no such file' : `it cannot be read (${code})`;
  return `Contacts cannot be read from '${file}': ${why}. Give its path from the folder of the program, or a whole one.`;
}
