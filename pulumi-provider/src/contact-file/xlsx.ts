import path from 'node:path';
import { FileError } from './problems.js';
import { UnreadableCell, type CellRow, type Format } from './rows.js';
import { withHeader } from './table.js';
import { attribute, decoded, elementsIn } from './xml.js';
import { openZip } from './zip.js';

/** Rows are handed over in batches of this size. */
const BATCH = 1_000;

/** Excel workbooks. Numbers, booleans and dates are typed there. */
export const xlsx: Format = ({ file }, options) => ({
  unit: 'row',
  rows: withHeader(rowsOfSheet(file, options.sheet), options, true),
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

async function* rowsOfSheet(file: string, wanted?: string): AsyncGenerator<readonly CellRow[], void> {
  const textOf = await openZip(file);
  const main = relations(textOf, '').find(({ type }) => type === 'officeDocument')?.part ?? '';
  const text = textOf(main);
  const parts = relations(textOf, main);
  const partOf = (kind: string): string => parts.find(({ type }) => type === kind)?.part ?? '';
  const book: Workbook = {
    texts: Array.from(elementsIn(textOf(partOf('sharedStrings')), 'si'), ([, , content]) => textIn(content)),
    isDate: dateStyles(textOf(partOf('styles'))),
    epoch: /\sdate1904\s*=\s*["'](1|true)/.test(text) ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30),
    isUncomputed: /\sfullCalcOnLoad\s*=\s*["'](1|true)/.test(text),
  };
  const sheets = Array.from(elementsIn(text, 'sheet'), ([, attributes]) => ({
    name: attribute(attributes, 'name') ?? '',
    part: parts.find(({ id }) => id === attribute(attributes, 'id'))?.part ?? '',
  }));
  const found = sheets.filter(({ name, part }) =>
    wanted === undefined ? sheets.length === 1 || hasRows(rowsIn(textOf(part), book)) : name === wanted,
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
  const [folder, name] = [path.posix.dirname(part), path.posix.basename(part)];
  const text = textOf(path.posix.join(folder, '_rels', `${name}.rels`));
  return [...elementsIn(text, 'Relationship')].map(([, attributes]) => ({
    id: attribute(attributes, 'Id'),
    type: attribute(attributes, 'Type')?.split('/').at(-1),
    part: path.posix.resolve('/', folder, attribute(attributes, 'Target') ?? '').slice(1),
  }));
}

/** Texts of runs and of plain cells; the pronunciation that Japanese texts can have is none. */
function textIn(content = ''): string {
  const plain = content.replaceAll(/<(\w+:)?rPh[\s>][^]*?<\/(\w+:)?rPh>/g, '');
  return [...elementsIn(plain, 't')].map(([, , text = '']) => decoded(text)).join('');
}

/** Number formats of dates and times that Excel defines itself. */
const DATE_FORMATS = /^(1[4-9]|2[0-27-9]|3[0-6]|4[5-7]|5[0-8])$/;

function dateStyles(text: string): boolean[] {
  const codes = new Map(
    [...elementsIn(text, 'numFmt')].map(([, attributes]) => [
      attribute(attributes, 'numFmtId'),
      attribute(attributes, 'formatCode') ?? '',
    ]),
  );
  const [[, , styles = ''] = []] = [...elementsIn(text, 'cellXfs')];
  return [...elementsIn(styles, 'xf')].map(([, attributes]) => {
    const id = attribute(attributes, 'numFmtId') ?? '';
    // Texts and colours in a format are no part of a date.
    const code = codes.get(id)?.replaceAll(/"[^"]*"|\[(?![hms]+\])[^\]]*\]|[\\_*]./gi, '');
    return code === undefined ? DATE_FORMATS.test(id) : /[dmyhs]/i.test(code);
  });
}

function hasRows(rows: Iterable<CellRow>): boolean {
  for (const { cells } of rows) if (cells.length > 0) return true;
  return false;
}

function* rowsIn(sheet: string, book: Workbook): Generator<CellRow, void> {
  let number = 0;
  for (const [name, attributes, content = ''] of elementsIn(sheet, 'row|mergeCell')) {
    if (name === 'row') {
      number = Number(attribute(attributes, 'r') ?? number + 1);
      yield { number, cells: cellsIn(content, number, book) };
    } else {
      const merged = attribute(attributes, 'ref') ?? '';
      yield { number: Number(/\d+$/.exec(merged)?.[0]), cells: [], merged };
    }
  }
}

/** The cells of a row, up to the last one that has a value. */
function cellsIn(row: string, number: number, book: Workbook): unknown[] {
  const cells: unknown[] = [];
  let index = -1;
  for (const [, attributes, content] of elementsIn(row, 'c')) {
    const [letters = ''] = /[A-Z]+/.exec(attribute(attributes, 'r') ?? '') ?? [];
    index = letters === '' ? index + 1 : columnOf(letters);
    const found = content === undefined ? null : valueOf(attributes, content, book);
    const value = typeof found === 'string' ? found.trim() : found;
    if (value === null || value === '') continue;
    while (cells.length < index) cells.push(null);
    const isFault = typeof value === 'object' && !(value instanceof Date);
    const locations = [`cell ${letters}${number}`];
    cells[index] = isFault ? new UnreadableCell({ ...value, locations }) : value;
  }
  return cells;
}

function columnOf(letters: string): number {
  let index = 0;
  for (const letter of letters) index = 26 * index + (letter.codePointAt(0) ?? 0) - 64;
  return index - 1;
}

const STORED = /<(?:\w+:)?v(?:\s[^>]*)?>([^<]*)</;

/** The value of a cell, or why it has none that can be trusted. */
function valueOf(attributes: string, content: string, { texts, isDate, epoch, isUncomputed }: Workbook) {
  const type = attribute(attributes, 't') ?? 'n';
  const stored = STORED.exec(content)?.[1];
  const text = decoded(stored ?? '');
  const isStored = !isUncomputed && stored !== undefined && (text !== '' || type === 'str');
  if (!isStored && /<(\w+:)?f[\s/>]/.test(content)) return { code: 'row.formula' } as const;
  if (type === 'e') return { code: 'row.cell-error', given: text } as const;
  if (type === 's') return texts[Number(text)] ?? null;
  if (type === 'inlineStr') return textIn(content);
  if (type === 'str' || text === '') return text;
  if (type === 'b') return text === '1' || text === 'true';
  if (type === 'd')
    return new Date(/Z|T.*[+-]/.test(text) ? text : `${text.replace(/^([^T]*)$/, '$1T00:00:00')}Z`);
  const value = Number(text);
  // Most writers store times as fractions of a day that are not exact.
  if (isDate[Number(attribute(attributes, 's') ?? 0)] === true)
    return new Date(epoch + 1000 * Math.round(value * 86_400));
  return value;
}
