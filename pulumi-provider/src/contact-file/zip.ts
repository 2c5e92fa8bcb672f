import { readFile } from 'node:fs/promises';
import { unzipSync } from 'fflate';
import { FileError } from './problems.js';

const MAX_BYTES = 200e6;
const MAX_RATIO = 200;
/** A smaller archive may have any ratio. */
const SMALL = 10e6;

/**
 * Opens a ZIP archive of XML. Each part is unpacked when it is read; one that is not there is empty.
 *
 * @throws FileError where it is no ZIP archive, or would unpack to too much.
 */
export async function openZip(file: string): Promise<(name: string) => string> {
  const bytes = await readFile(file);
  let size = 0;
  const textOf = (wanted?: string): string => {
    const filter = ({ name, originalSize }: { name: string; originalSize: number }): boolean => {
      size += originalSize;
      return name === wanted;
    };
    try {
      const [part] = Object.values(unzipSync(bytes, { filter }));
      const text = new TextDecoder().decode(part).trimEnd();
      // One that is longer than the archive says is cut off.
      if (text === '' || text.endsWith('>')) return text;
    } catch {
      // Told below.
    }
    throw new FileError({ code: 'file.workbook' });
  };
  textOf();
  if (size > MAX_BYTES || size > Math.max(SMALL, MAX_RATIO * bytes.length))
    throw new FileError({ code: 'file.bomb', count: Math.round(size / 1e6) });
  return textOf;
}
