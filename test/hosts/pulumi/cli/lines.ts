import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** Hands on each line that is not blank, until the stream ends. */
export function onLines(stream: Readable, take: (line: string) => void): Promise<void> {
  const lines = createInterface({ input: stream, crlfDelay: Infinity });
  lines.on('line', (line) => {
    if (line.trim() !== '') take(line);
  });
  return new Promise((resolve) => lines.once('close', resolve));
}
