import { createReadStream } from 'node:fs';
import { isRecord } from 'audience-core/internal';
import { ResourceError } from '../../errors.js';
import type { Raw } from '../../raw.js';

/** Files that are no list, by how they begin. */
const OTHER_KINDS: readonly (readonly [RegExp, string])[] = [
  [/^PK.*(opendocument|\.iwa)/s, 'is a workbook. Export it as CSV with the encoding UTF-8'],
  [/^PK.*(xl\/|\[Content_Types\])|^ÐÏ/s, "is an Excel workbook. Save it as 'CSV UTF-8'"],
  // eslint-disable-next-line no-control-regex -- gzip begins with one
  [/^(PK|\x1f\x8b|7z¼¯|Rar!)/, 'is an archive. Unpack it first'],
  [/^(%PDF|PAR1)/, 'is a PDF document or a Parquet file. Export the list as CSV'],
  [/^(ï»¿)?\s*<(!doctype|html|\?xml|head|body)/i, 'is a web page or XML, not a list. Export the list again'],
];

const BYTE_ORDER_MARKS = { 'ï»¿': 'utf-8', ÿþ: 'utf-16le', þÿ: 'utf-16be' };

/** A file's text in chunks. A byte order mark wins over `encoding`. Throws ResourceError where it is no such text. */
export async function* readText(file: string, encoding = 'utf-8'): AsyncGenerator<string, void> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let line = 1;
  const decode = (bytes?: Buffer): string => {
    const text = decoder?.decode(bytes, { stream: bytes !== undefined }) ?? '';
    const fault = text.search(/[\0\uFFFD]/);
    line += text.slice(0, fault < 0 ? undefined : fault).split(/\r\n|\n|\r/).length - 1;
    if (fault < 0) return text;
    const reason = text.includes('\0')
      ? "has a NUL character. If the file is UTF-16, set encoding: 'utf-16le'"
      : `is not ${encoding} text. Save the file as 'CSV UTF-8', or set encoding, for example 'windows-1252'`;
    throw new ResourceError(`'${file}', line ${line} ${reason}.`);
  };
  const chunks: AsyncIterable<Buffer> = createReadStream(file);
  try {
    for await (const chunk of chunks) {
      decoder ??= new TextDecoder(encodingOf(file, chunk) ?? encoding);
      yield decode(chunk);
    }
    yield decode();
  } catch (error) {
    throw isRecord(error) && 'syscall' in error ? unreadable(file, error) : error;
  }
}

function encodingOf(file: string, chunk: Buffer): string | undefined {
  const start = chunk.toString('latin1', 0, 2_000);
  const [, kind] = OTHER_KINDS.find(([pattern]) => pattern.test(start)) ?? [];
  if (kind !== undefined) throw new ResourceError(`'${file}' ${kind}.`);
  return Object.entries(BYTE_ORDER_MARKS).find(([mark]) => start.startsWith(mark))?.[1];
}

function unreadable(file: string, { code }: Raw): ResourceError {
  if (code === 'EISDIR') return new ResourceError(`'${file}' is a folder. Give the path of a file.`);
  return new ResourceError(
    code === 'ENOENT'
      ? `'${file}' does not exist. Give its path from the folder of the program, or an absolute path.`
      : `'${file}' cannot be read (${String(code)}). Check its permissions.`,
  );
}
