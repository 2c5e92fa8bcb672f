import { csv } from './csv.js';
import { json } from './json.js';
import { FileError } from './problems.js';
import type { Format } from './rows.js';
import { xlsx } from './xlsx.js';

const AS_CSV = 'Export the list as CSV with the encoding UTF-8';

/** Files that are no list, by how they begin: what they are, and the way out. */
const OTHER_KINDS: readonly (readonly [RegExp, string, string])[] = [
  [
    /^PK.{0,40}mimetype.{0,40}opendocument/s,
    'a workbook of LibreOffice',
    'Save it as .xlsx, or as CSV with the encoding UTF-8',
  ],
  [/^PK.*\.iwa/s, 'a workbook of Numbers', 'Export it as Excel, or as CSV with the encoding UTF-8'],
  [/^PK(?!.*xl\/).*word\//s, 'a document of Word', 'Copy its table into a workbook, and save that as .xlsx'],
  [/^ÐÏ/, 'an old or protected Excel workbook', 'Save it as .xlsx without a password'],
  [/^BEGIN:VCARD/i, 'a vCard', AS_CSV],
  [/^%PDF|^PAR1/, 'a PDF document or a Parquet file', AS_CSV],
  [/^(ï»¿)?\s*<(!doctype|html|\?xml|head|body)/i, 'a web page or XML', 'Export the list again'],
  [
    /^(PK(?!.*(xl\/|\[Content_Types\]|_rels\/|docProps\/))|\p{Cc}\u008B|7z¼¯|Rar!)/su,
    'an archive',
    'Unpack it first',
  ],
];

/** Formats by how their files begin. Every text can be CSV, so that is the last. */
const FORMATS: readonly (readonly [RegExp, Format])[] = [
  [/^PK/, xlsx],
  [/^(ï»¿|ÿþ|þÿ)?[\s\0]*[[{]/, json],
  [/^/, csv],
];

/** The format of a file, by its first bytes. @throws FileError where it is no list. */
export function formatOf(start: string): Format {
  const [, given, expected] = OTHER_KINDS.find(([pattern]) => pattern.test(start)) ?? [];
  if (given !== undefined) throw new FileError({ code: 'file.kind', given, expected });
  const [, format = csv] = FORMATS.find(([pattern]) => pattern.test(start)) ?? [];
  return format;
}
