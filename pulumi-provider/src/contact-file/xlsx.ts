import path from 'node:path';
import { FileError } from './problems.js';
import { UnreadableCell, type CellRow, type Format } from './rows.js';
import { withHeader } from './table.js';
import { attribute, decoded, elements } from './xml.js';
import { openZip } from './zip.js';

/** Rows are handed over in batches of this size. */
const BATCH = 1_000;

/** Excel workbooks. Numbers, booleans and dates are typed there. */
export const xlsx: Format = ({ file }, options) => ({
  unit: 'row',
  rows: withHeader(rowsOfFile(file, options.sheet), options, true),
});

interface Workbook {
  /** The texts that cells name by number. */
  readonly texts: readonly string[];
  /** Whether a number of each style is a date. */
  readonly isDate: readonly boolean[];
  /** Day 0, in milliseconds. */
  readonly epoch: number;
  /** Whether its writer has computed no formula: Excel does when it opens the workbook. */
  readonly isUncomputed: boolean;
}

async function* rowsOfFile(file: string, wanted?: string): AsyncGenerator<readonly CellRow[], void> {
  const textOf = await openZip(file);
  const main = relations(textOf, '').find(({ type }) => type === 'officeDocument')?.part ?? '';
  const text = textOf(main);
  const parts = relations(textOf, main);
  const contentOf = (kind: string): string => textOf(parts.find(({ type }) => type === kind)?.part ?? '');
  const book: Workbook = {
    texts: Array.from(contentOf('sharedStrings').matchAll(elements('si')), ([, , content]) =>
      textIn(content),
    ),
    isDate: dateStyles(contentOf('styles')),
    epoch: /\sdate1904\s*=\s*["'](1|true)/.test(text) ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30),
    isUncomputed: /\sfullCalcOnLoad\s*=\s*["'](1|true)/.test(text),
  };
  const sheets = Array.from(text.matchAll(elements('sheet')), ([, attributes = '']) => ({
    name: attribute('name')(attributes) ?? '',
    part: parts.find(({ id }) => id === attribute('id')(attributes))?.part ?? '',
  }));
  const found = sheets.filter(({ name, part }) =>
    wanted === undefined ? sheets.length === 1 || hasCells(textOf(part), book) : name === wanted,
  );
  const [only, ...others] = found;
  if (sheets.length === 0) throw new FileError({ code: 'file.workbook' });
  if (others.length > 0 || (only === undefined && wanted !== undefined)) {
    const names = (only === undefined ? sheets : found).map(({ name }) => name);
    throw new FileError({ code: 'file.sheet', names });
  }
  const rows: CellRow[] = [];
  for (const row of only === undefined ? [] : rowsIn(textOf(only.part), book))
    if (rows.push(row) === BATCH) yield rows.splice(0);
  yield rows;
}

/** The parts that a part refers to. */
function relations(textOf: (part: string) => string, part: string) {
  const { dir, base } = path.posix.parse(part);
  const text = textOf(path.posix.join(dir, '_rels', `${base}.rels`));
  return Array.from(text.matchAll(elements('Relationship')), ([, attributes = '']) => ({
    id: attribute('Id')(attributes),
    type: attribute('Type')(attributes)?.split('/').at(-1),
    part: path.posix.resolve('/', dir, attribute('Target')(attributes) ?? '').slice(1),
  }));
}

const [TEXT, PRONUNCIATION] = [elements('t'), elements('rPh')] as const;
/** Most texts have one run: that is found faster. */
const ONE_RUN = /^<(?:\w+:)?t(?:\s[^>]*)?>([^<]*)<\/[^<]*$/;

/** Texts of runs and of plain cells; the pronunciation that Japanese texts can have is none. */
function textIn(content = ''): string {
  const [, only] = ONE_RUN.exec(content) ?? [];
  if (only !== undefined) return decoded(only);
  const plain = content.includes('rPh') ? content.replaceAll(PRONUNCIATION, '') : content;
  return Array.from(plain.matchAll(TEXT), ([, , text = '']) => decoded(text)).join('');
}

/** Number formats of dates and times that Excel defines itself. */
const DATE_FORMATS = /^(1[4-9]|2[0-27-9]|3[0-6]|4[5-7]|5[0-8])$/;
const formatId = attribute('numFmtId');

function dateStyles(text: string): boolean[] {
  const codes = new Map(
    Array.from(text.matchAll(elements('numFmt')), ([, attributes = '']) => [
      formatId(attributes),
      attribute('formatCode')(attributes) ?? '',
    ]),
  );
  const [, , styles = ''] = elements('cellXfs').exec(text) ?? [];
  return Array.from(styles.matchAll(elements('xf')), ([, attributes = '']) => {
    const id = formatId(attributes) ?? '';
    // Texts and colours in a format are no part of a date.
    const code = codes.get(id)?.replaceAll(/"[^"]*"|\[(?![hms]+\])[^\]]*\]|[\\_*]./gi, '');
    return code === undefined ? DATE_FORMATS.test(id) : /[dmyhs]/i.test(code);
  });
}

function hasCells(sheet: string, book: Workbook): boolean {
  for (const { cells } of rowsIn(sheet, book)) if (cells.length > 0) return true;
  return false;
}

/** The beginning of a row, a cell with what it holds, or merged cells. */
const PIECES =
  /<(?:\w+:)?(?:row(?=[\s/>])([^>]*)|c(?=[\s/>])([^>]*?)(?:\/>|>([^]*?)<\/(?:\w+:)?c\s*>)|mergeCell(?=[\s/>])([^>]*))/g;
const placeOf = attribute('r');
const typeOf = attribute('t');
const styleOf = attribute('s');
const rangeOf = attribute('ref');

/** The rows, each up to its last cell with a value, and merged cells with their last row. */
function* rowsIn(sheet: string, book: Workbook): Generator<CellRow, void> {
  let row = { number: 0, cells: new Array<unknown>() };
  let index = -1;
  for (const [, ofRow, ofCell, content, ofMerged] of sheet.matchAll(PIECES)) {
    if (ofCell !== undefined) {
      const [letters = ''] = /^[A-Z]+/.exec(placeOf(ofCell) ?? '') ?? [];
      index = letters === '' ? index + 1 : columnOf(letters);
      const value = content === undefined ? null : valueOf(ofCell, content, book);
      if (value === null || value === '') continue;
      while (row.cells.length < index) row.cells.push(null);
      const isFault = typeof value === 'object' && !(value instanceof Date);
      const locations = [`cell ${letters}${row.number}`];
      row.cells[index] = isFault ? new UnreadableCell({ ...value, locations }) : value;
      continue;
    }
    yield row;
    const merged = rangeOf(ofMerged ?? '');
    const number = merged === undefined ? placeOf(ofRow ?? '') : /\d+$/.exec(merged)?.[0];
    row = { number: Number(number ?? row.number + 1), cells: [], ...(merged !== undefined && { merged }) };
    index = -1;
  }
  yield row;
}

function columnOf(letters: string): number {
  let index = 0;
  for (const letter of letters) index = 26 * index + (letter.codePointAt(0) ?? 0) - 64;
  return index - 1;
}

const STORED = /<(?:\w+:)?v(?:\s[^>]*)?>([^<]*)</;

/** The value of a cell, or why it has none that can be trusted. */
function valueOf(attributes: string, content: string, { texts, isDate, epoch, isUncomputed }: Workbook) {
  const type = typeOf(attributes) ?? 'n';
  const stored = STORED.exec(content)?.[1];
  const text = decoded(stored ?? '').trim();
  const isStored = !isUncomputed && stored !== undefined && (text !== '' || type === 'str');
  if (!isStored && /<(\w+:)?f[\s/>]/.test(content)) return { code: 'row.formula' } as const;
  if (type === 'e') return { code: 'row.cell-error', given: text } as const;
  if (type === 's') return texts[Number(text)]?.trim() ?? null;
  if (type === 'inlineStr') return textIn(content).trim();
  if (type === 'str' || text === '') return text;
  if (type === 'b') return text === '1' || text === 'true';
  if (type === 'd')
    return new Date(/Z|T.*[+-]/.test(text) ? text : `${text.replace(/^([^T]*)$/, '$1T00:00:00')}Z`);
  const value = Number(text);
  // Most writers store times as fractions of a day that are not exact.
  if (isDate[Number(styleOf(attributes) ?? 0)] === true)
    return new Date(epoch + 1000 * Math.round(value * 86_400));
  return value;
}
