import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { isRecord } from 'audience-core/internal';
import { FileError } from './problems.js';
import type { FileOptions } from './options.js';

const START = 4_096;
const BYTE_ORDER_MARKS = { 'ï»¿': 'utf-8', ÿþ: 'utf-16le', þÿ: 'utf-16be' };

/** A file that is read once. */
export class Source {
  /** Whether the text ends in a line end. */
  endsInLineEnd: boolean | undefined;

  private constructor(
    readonly file: string,
    readonly options: FileOptions,
    /** The first bytes, one a character. */
    readonly start: string,
  ) {}

  /** @throws FileError where the file cannot be read. */
  static async open(file: string, options: FileOptions): Promise<Source> {
    try {
      const handle = await open(file);
      try {
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(START), 0, START, 0);
        return new Source(file, options, buffer.toString('latin1', 0, bytesRead));
      } finally {
        await handle.close();
      }
    } catch (error) {
      throw isRecord(error) && 'syscall' in error ? unreadable(file, error['code']) : error;
    }
  }

  /** The text in chunks. A byte order mark wins over `encoding`. Throws FileError where it is no such text. */
  async *text(): AsyncGenerator<string, void> {
    const { encoding = 'utf-8' } = this.options;
    const mark = Object.entries(BYTE_ORDER_MARKS).find(([bytes]) => this.start.startsWith(bytes))?.[1];
    const decoder = new TextDecoder(mark ?? encoding);
    let lines = 1;
    const checked = (text: string): string => {
      const fault = text.search(/[\0\uFFFD]/);
      lines += linesIn(fault < 0 ? text : text.slice(0, fault));
      if (fault >= 0) {
        const code = text.includes('\0') ? 'file.nul' : 'file.encoding';
        throw new FileError(`'${this.file}'`, [{ code, expected: encoding, locations: [`line ${lines}`] }]);
      }
      if (text !== '') this.endsInLineEnd = /[\r\n]$/.test(text);
      return text;
    };
    const chunks: AsyncIterable<Buffer> = createReadStream(this.file);
    for await (const chunk of chunks) yield checked(decoder.decode(chunk, { stream: true }));
    yield checked(decoder.decode());
  }
}

function unreadable(file: string, code: unknown): FileError {
  if (code === 'EISDIR') return new FileError(`'${file}'`, [{ code: 'file.folder' }]);
  const problem =
    code === 'ENOENT'
      ? ({ code: 'file.missing' } as const)
      : ({ code: 'file.unreadable', given: String(code) } as const);
  return new FileError(`'${file}'`, [problem]);
}

/** Line ends in a text; CR alone only where there is no LF. */
function linesIn(text: string): number {
  let count = 0;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) count += 1;
  return count > 0 ? count : text.split('\r').length - 1;
}
