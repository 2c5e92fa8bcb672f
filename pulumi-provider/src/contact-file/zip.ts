import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInflateRaw } from 'node:zlib';
import { FileError } from './problems.js';

const MAX_BYTES = 200e6;
const MAX_RATIO = 200;
/** A smaller archive may have any ratio. */
const SMALL = 10e6;
const END_OF_DIRECTORY = 0x06_05_4b_50;
const ENTRY = 0x02_01_4b_50;
const LONGEST_END = 65_557;
const LONGEST_TEXT = 20e6;

interface Entry {
  readonly isPacked: boolean;
  readonly packed: number;
  readonly size: number;
  readonly offset: number;
}

/** The parts of a ZIP archive, by name. Each is unpacked while it is read. */
export class Zip {
  private constructor(
    private readonly file: string,
    private readonly entries: ReadonlyMap<string, Entry>,
  ) {}

  /** @throws FileError where it is no ZIP archive, or would unpack to too much. */
  static async open(file: string): Promise<Zip> {
    const handle = await open(file);
    try {
      const { size } = await handle.stat();
      const bytesAt = async (start: number, length: number): Promise<Buffer> => {
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, start);
        return buffer.subarray(0, bytesRead);
      };
      const start = Math.max(0, size - LONGEST_END);
      const tail = await bytesAt(start, size - start);
      const end = tail.lastIndexOf(Buffer.from('PK\x05\x06'));
      if (end < 0 || tail.length < end + 22 || tail.readUInt32LE(end) !== END_OF_DIRECTORY) throw broken();
      const [length, from] = [tail.readUInt32LE(end + 12), tail.readUInt32LE(end + 16)];
      if (from + length > size) throw broken();
      const entries = entriesOf(await bytesAt(from, length));
      const unpacked = [...entries.values()].reduce((sum, entry) => sum + entry.size, 0);
      if (unpacked > MAX_BYTES || unpacked > Math.max(SMALL, MAX_RATIO * size))
        throw new FileError({ code: 'file.bomb', count: Math.round(unpacked / 1e6) });
      return new Zip(file, entries);
    } finally {
      await handle.close();
    }
  }

  /** The text of a short part. */
  async whole(name: string): Promise<string> {
    let text = '';
    for await (const chunk of this.text(name)) if ((text += chunk).length > LONGEST_TEXT) throw broken();
    return text;
  }

  /** The text of a part in chunks; nothing where there is no such part. */
  async *text(name: string): AsyncGenerator<string, void> {
    const entry = this.entries.get(name);
    if (entry === undefined || entry.packed === 0) return;
    const { offset, packed, size, isPacked } = entry;
    const header = await firstOf(createReadStream(this.file, { start: offset, end: offset + 29 }));
    const start = offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
    const bytes = createReadStream(this.file, { start, end: start + packed - 1, highWaterMark: 65_536 });
    const decoder = new TextDecoder();
    let read = 0;
    const chunks: AsyncIterable<Buffer> = isPacked
      ? bytes.on('error', () => undefined).pipe(createInflateRaw({ chunkSize: 262_144 }))
      : bytes;
    for await (const chunk of chunks) {
      // The directory may lie about the size.
      if ((read += chunk.length) > size) throw broken();
      yield decoder.decode(chunk, { stream: true });
    }
    yield decoder.decode();
  }
}

function entriesOf(directory: Buffer): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  for (let at = 0; at + 46 <= directory.length && directory.readUInt32LE(at) === ENTRY;) {
    const [nameLength, extra, comment] = [28, 30, 32].map((place) => directory.readUInt16LE(at + place));
    const [method, packed, size, offset] = [
      directory.readUInt16LE(at + 10),
      ...[20, 24, 42].map((place) => directory.readUInt32LE(at + place)),
    ];
    if (nameLength === undefined || extra === undefined || comment === undefined) throw broken();
    if (packed === undefined || size === undefined || offset === undefined) throw broken();
    const name = directory.toString('utf8', at + 46, at + 46 + nameLength);
    entries.set(name, { isPacked: method !== 0, packed, size, offset });
    at += 46 + nameLength + extra + comment;
  }
  return entries;
}

async function firstOf(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  for await (const chunk of chunks) if (chunk.length === 30) return chunk;
  throw broken();
}

function broken(): FileError {
  return new FileError({ code: 'file.workbook' });
}
