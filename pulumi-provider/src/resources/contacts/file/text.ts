import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { ResourceError } from '../../errors.js';

/** Files that people take for a list, by how they begin. */
const OTHER_KINDS: readonly (readonly [RegExp, string])[] = [
  [/^PK.*opendocument/s, 'is an OpenDocument workbook. Save it as CSV with the encoding UTF-8'],
  [/^PK.*\.iwa/s, 'is a Numbers document. Export it as CSV with the encoding UTF-8'],
  [/^PK.*(xl\/|\[Content_Types\])|^ÐÏ/s, "is an Excel workbook. Save it as 'CSV UTF-8'"],
  // eslint-disable-next-line no-control-regex -- gzip begins with one
  [/^(PK|\x1f\x8b|7z¼¯|Rar!)/, 'is an archive. Unpack it first'],
  [/^%PDF/, 'is a PDF document. Export the list as CSV'],
  [/^PAR1/, 'is a Parquet file. Write the table as CSV or JSON Lines'],
  [/^(ï»¿)?\s*<(!doctype|html|\?xml|head|body)/i, 'is a web page or XML, not a list. Export the list again'],
];

const BYTE_ORDER_MARKS: ReadonlyMap<string, string> = new Map([
  ['ï»¿', 'utf-8'],
  ['ÿþ', 'utf-16le'],
  ['þÿ', 'utf-16be'],
]);

/**
 * A file's text in chunks, without a byte order mark.
 *
 * @param encoding what the file is in; a byte order mark in the file wins.
 * @throws ResourceError when the file cannot be read, is no text, or is in another encoding.
 */
export async function* readText(file: string, encoding = 'utf-8'): AsyncGenerator<string, void> {
  const handle = await opened(file);
  try {
    yield* decoded(file, handle, encoding);
  } catch (error) {
    throw error instanceof Error && 'syscall' in error ? unreadable(file, error) : error;
  } finally {
    await handle.close();
  }
}

async function* decoded(file: string, handle: FileHandle, encoding: string): AsyncGenerator<string, void> {
  let decoder = new TextDecoder(encoding);
  let line = 1;
  const text = (bytes?: Buffer): string => {
    const part = decoder.decode(bytes, { stream: bytes !== undefined });
    const fault = part.search(/[\0\uFFFD]/);
    if (fault >= 0)
      throw wrongEncoding(file, line + linesIn(part.slice(0, fault)), part[fault] === '\0', encoding);
    line += linesIn(part);
    return part;
  };
  const chunks: AsyncIterable<Buffer> = handle.createReadStream({ autoClose: false });
  let isFirst = true;
  for await (const chunk of chunks) {
    if (isFirst) decoder = new TextDecoder(encodingOf(file, chunk) ?? encoding);
    isFirst = false;
    yield text(chunk);
  }
  yield text();
}

function encodingOf(file: string, chunk: Buffer): string | undefined {
  const start = chunk.toString('latin1', 0, 2_000);
  const [, kind] = OTHER_KINDS.find(([pattern]) => pattern.test(start)) ?? [];
  if (kind !== undefined) throw new ResourceError(`'${file}' ${kind}.`);
  return BYTE_ORDER_MARKS.get(start.slice(0, 3)) ?? BYTE_ORDER_MARKS.get(start.slice(0, 2));
}

function linesIn(text: string): number {
  return text.split(/\r\n|\n|\r/).length - 1;
}

function wrongEncoding(file: string, line: number, isNul: boolean, encoding: string): ResourceError {
  const what = isNul
    ? "has a NUL character. If the file is UTF-16, set encoding: 'utf-16le'"
    : `is not ${encoding} text. Save the file as 'CSV UTF-8', or set encoding, for example 'windows-1252'`;
  return new ResourceError(`'${file}', line ${line} ${what}.`);
}

async function opened(file: string): Promise<FileHandle> {
  try {
    const handle = await open(file);
    if ((await handle.stat()).isFile()) return handle;
    await handle.close();
  } catch (error) {
    throw unreadable(file, error);
  }
  throw new ResourceError(`'${file}' is a folder. Give the path of a file.`);
}

function unreadable(file: string, error: unknown): ResourceError {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  return new ResourceError(
    code === 'ENOENT'
      ? `'${file}' does not exist. Give its path from the folder of the program, or an absolute path.`
      : `'${file}' cannot be read (${code}). Check its permissions.`,
  );
}
