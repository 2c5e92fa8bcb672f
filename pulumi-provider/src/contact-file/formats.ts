import { csv } from './csv.js';
import { json } from './json.js';
import { FileError } from './problems.js';
import type { Format } from './rows.js';
import { xlsx } from './xlsx.js';

const AS_CSV = 'Export the list as CSV with the encoding UTF-8';

/** Files that are no list, by how they begin: what they are, and the way out. */
const OTHER_KINDS: readonly (readonly [RegExp, string, string])[] = [
  [/^PK.*opendocument/s, 'a workbook of LibreOffice', 'Save it as .xlsx, or as CSV with the encoding UTF-8'],
  [/^PK.*\.iwa/s, 'a workbook of Numbers', 'Export it as Excel, or as CSV with the encoding UTF-8'],
  [/^ÐÏ/, 'an old or protected Excel workbook', 'Save it as .xlsx without a password'],
  [/^BEGIN:VCARD/i, 'a vCard', AS_CSV],
  [/^%PDF|^PAR1/, 'a PDF document or a Parquet file', AS_CSV],
  [/^(ï»¿)?\s*<(!doctype|html|\?xml|head|body)/i, 'a web page or XML', 'Export the list again'],
  // eslint-disable-next-line no-control-regex -- gzip begins with one
  [/^(PK|\x1f\x8b|7z¼¯|Rar!)/, 'an archive', 'Unpack it first'],
];

/** The format of a file, by its first bytes: any other text is CSV. Throws FileError where it is no list. */
export function formatOf(start: string): Format {
  if (/^PK.*(xl\/|\[Content_Types\]|_rels\/|docProps\/)/s.test(start)) return xlsx;
  if (/^(ï»¿|ÿþ|þÿ)?[\s\0]*[[{]/.test(start)) return json;
  const [, given, expected] = OTHER_KINDS.find(([pattern]) => pattern.test(start)) ?? [];
  if (given !== undefined) throw new FileError([{ code: 'file.kind', given, expected }]);
  return csv;
}
