import fc from 'fast-check';
import { readFile } from '../../testing/read-file.js';

/** Each begins with a byte order mark. One puts every value in quotes, the others those that need them. */
const WRITERS = [
  { name: 'Excel in Europe', delimiter: ';', lineEnd: '\r\n', quotesAll: false, encoding: 'utf8' },
  { name: 'Excel, Unicode text', delimiter: '\t', lineEnd: '\r\n', quotesAll: false, encoding: 'utf16le' },
  { name: 'one that quotes', delimiter: ',', lineEnd: '\n', quotesAll: true, encoding: 'utf8' },
] as const;
type Writer = (typeof WRITERS)[number];

const isQuoted = (text: string, { quotesAll, delimiter }: Writer): boolean =>
  quotesAll || text.includes(delimiter) || /["\r\n]/.test(text);

function written(table: readonly (readonly string[])[], writer: Writer): Buffer {
  const cell = (text: string): string => (isQuoted(text, writer) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = table.map((row) => row.map(cell).join(writer.delimiter) + writer.lineEnd);
  return Buffer.from(`\uFEFF${lines.join('')}`, writer.encoding);
}

/** Any text but what is refused: characters that a decoder puts out for wrong bytes, and swallowed rows. */
const texts = fc
  .oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[ ,;\t|"'a\n\r\u00A0=-]{0,6}$/))
  .filter((text) => !/[\0\uFFFD]|[\r\n][^]*@/.test(text));
const numbers = fc
  .oneof(fc.maxSafeInteger(), fc.double({ noNaN: true, noDefaultInfinity: true }))
  .filter((number) => !Number.isInteger(number) || Number.isSafeInteger(number))
  .map((number) => number + 0);
const seconds = fc.integer({ min: 100_000, max: 4_000_000_000 });

const rows = fc.array(
  fc.record({
    planName: fc.option(texts, { nil: undefined }),
    notes: fc.option(texts, { nil: undefined }),
    seats: fc.option(numbers, { nil: undefined }),
    onTrial: fc.option(fc.boolean(), { nil: undefined }),
    signedUp: fc.option(seconds, { nil: undefined }),
  }),
  { minLength: 1, maxLength: 8 },
);

test.each(WRITERS)('any table comes back as it was written by $name', async (writer) => {
  await fc.assert(
    fc.asyncProperty(rows, async (table) => {
      const header = ['email', 'planName', 'notes', 'seats', 'onTrial', 'signedUp'];
      const cells = table.map((row, index) => [
        `person-${index}@example.com`,
        row.planName ?? '',
        row.notes ?? '',
        String(row.seats ?? ''),
        String(row.onTrial ?? ''),
        row.signedUp === undefined ? '' : new Date(row.signedUp * 1000).toISOString(),
      ]);
      // Blanks around a value without quotes belong to the file.
      const kept = (text = ''): string | undefined => {
        const read = isQuoted(text, writer) ? text : text.trim();
        return read === '' ? undefined : read.normalize().replaceAll('\r\n', '\n');
      };
      const expected = table.map((row, index) => ({
        ...row,
        email: `person-${index}@example.com`,
        planName: kept(row.planName),
        notes: kept(row.notes),
      }));
      const { rows: read, error } = await readFile(written([header, ...cells], writer));
      expect(error).toBe('');
      expect(read).toEqual(expected);
    }),
    { numRuns: 60 },
  );
});
