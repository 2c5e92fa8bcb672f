import { readFile, stat } from 'node:fs/promises';
import { isRecord } from 'audience-core/internal';
import { FileError } from './problems.js';

/** A list of 200,000 contacts is smaller. */
const MOST_BYTES = 100_000_000;

/**
 * Reads the text of a file, which is opened once: it may be a pipe.
 *
 * @param encoding label of the encoding; a byte order mark wins.
 * @throws FileError where it cannot be read, or does not have the encoding.
 */
export async function readText(file: string, encoding = 'utf-8'): Promise<string> {
  const bytes = await readBytes(file);
  const expected = markedEncoding(bytes) ?? encoding;
  const text = new TextDecoder(expected).decode(bytes);
  const fault = text.search(/[\0\uFFFD]/);
  if (fault >= 0) {
    const line = text.slice(0, fault).split(/\r\n|\r|\n/).length;
    throw new FileError({ code: 'file.encoding', expected, locations: [`line ${line}`] });
  }
  return text;
}

async function readBytes(file: string): Promise<Buffer> {
  try {
    // A pipe has no size.
    const { size } = await stat(file);
    if (size > MOST_BYTES) throw new FileError({ code: 'file.large', count: MOST_BYTES / 1_000_000 });
    return await readFile(file);
  } catch (error) {
    if (!isRecord(error) || !('syscall' in error)) throw error;
    const given = String(error['code']);
    throw new FileError({ code: given === 'ENOENT' ? 'file.missing' : 'file.unreadable', given });
  }
}

/** The encoding that a byte order mark says. */
function markedEncoding(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return undefined;
}
