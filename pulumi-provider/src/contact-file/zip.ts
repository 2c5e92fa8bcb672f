import { readFile } from 'node:fs/promises';
import { inflateRawSync } from 'node:zlib';
import { FileError } from './problems.js';

const MAX_BYTES = 200e6;
const MAX_RATIO = 200;
/** A smaller archive may have any ratio. */
const SMALL = 10e6;

interface Part {
  readonly isStored: boolean;
  /** How long it says that it is. */
  readonly size: number;
  readonly packed: Buffer;
}

/**
 * Opens a ZIP archive of XML. Each part is unpacked when it is read; one that is not there is empty.
 *
 * @throws FileError where it is no ZIP archive, or would unpack to too much.
 */
export async function openZip(file: string): Promise<(name: string) => string> {
  const bytes = await readFile(file);
  const parts = readable(() => new Map(partsIn(bytes)));
  const size = [...parts.values()].reduce((sum, part) => sum + part.size, 0);
  if (size > MAX_BYTES || size > Math.max(SMALL, MAX_RATIO * bytes.length))
    throw new FileError({ code: 'file.bomb', count: Math.round(size / 1e6) });
  return (name) => readable(() => textOf(parts.get(name)));
}

/** The parts that the directory at the end of an archive lists. */
function* partsIn(bytes: Buffer): Generator<readonly [name: string, part: Part], void> {
  const end = bytes.lastIndexOf('PK\u0005\u0006');
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    const header = bytes.readUInt32LE(at + 42);
    const start = header + 30 + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28);
    const nameEnd = at + 46 + bytes.readUInt16LE(at + 28);
    const isStored = bytes.readUInt16LE(at + 10) === 0;
    const packed = bytes.subarray(start, start + bytes.readUInt32LE(at + 20));
    yield [bytes.toString('utf8', at + 46, nameEnd), { isStored, size: bytes.readUInt32LE(at + 24), packed }];
    at = nameEnd + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
}

function textOf(part: Part | undefined): string {
  if (part === undefined || part.size === 0) return '';
  const { isStored, size, packed } = part;
  return (isStored ? packed : inflateRawSync(packed, { maxOutputLength: size })).toString();
}

/** What fails here is an archive that is cut off, or longer than it says. */
function readable<Result>(read: () => Result): Result {
  try {
    return read();
  } catch {
    throw new FileError({ code: 'file.workbook' });
  }
}
