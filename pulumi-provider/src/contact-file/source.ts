import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { isRecord } from 'audience-core/internal';
import { FileError } from './problems.js';

const START = 65_536;
const BYTE_ORDER_MARKS = { 'ï»¿': 'utf-8', ÿþ: 'utf-16le', þÿ: 'utf-16be' };

/** The bytes of a file, and its text. */
export class Source {
  endsInLineEnd: boolean | undefined;

  /** @param start the first bytes, one a character. */
  private constructor(
    readonly file: string,
    readonly start: string,
    private readonly encoding: string,
  ) {}

  /** Opens a file, whose byte order mark wins over `encoding`. @throws FileError where it cannot be read. */
  static async open(file: string, encoding = 'utf-8'): Promise<Source> {
    try {
      const bytes = await buffer(createReadStream(file, { end: START - 1 }));
      const start = bytes.toString('latin1');
      const [, mark] = Object.entries(BYTE_ORDER_MARKS).find(([sign]) => start.startsWith(sign)) ?? [];
      return new Source(file, start, mark ?? encoding);
    } catch (error) {
      if (!isRecord(error) || !('syscall' in error)) throw error;
      const given = String(error['code']);
      throw new FileError({ code: given === 'ENOENT' ? 'file.missing' : 'file.unreadable', given });
    }
  }

  /** The first characters. */
  get head(): string {
    return new TextDecoder(this.encoding).decode(Buffer.from(this.start, 'latin1'), { stream: true });
  }

  /** The text in chunks. Throws FileError where it does not have the encoding. */
  async *text(): AsyncGenerator<string, void> {
    const expected = this.encoding;
    const decoder = new TextDecoder(expected);
    let lines = 1;
    const checked = (text: string): string => {
      const fault = text.search(/[\0\uFFFD]/);
      lines += linesIn(fault < 0 ? text : text.slice(0, fault));
      if (fault >= 0) throw new FileError({ code: 'file.encoding', expected, locations: [`line ${lines}`] });
      if (text !== '') this.endsInLineEnd = /[\r\n]$/.test(text);
      return text;
    };
    const chunks: AsyncIterable<Buffer> = createReadStream(this.file);
    for await (const chunk of chunks) yield checked(decoder.decode(chunk, { stream: true }));
    yield checked(decoder.decode());
  }
}

/** Line ends in a text; CR alone only where there is no LF. */
export function linesIn(text: string): number {
  let count = 0;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) count += 1;
  return count > 0 ? count : text.split('\r').length - 1;
}
