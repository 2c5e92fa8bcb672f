import { strToU8, zipSync } from 'fflate';

const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** A ZIP archive of texts; `declared` is what it says of the size of each. */
export function zipOf(parts: Readonly<Record<string, string>>, declared?: number): Buffer {
  const bytes = Object.entries(parts).map(([name, text]) => [name, strToU8(text)] as const);
  const zip = Buffer.from(zipSync(Object.fromEntries(bytes)));
  for (let at = zip.indexOf('PK\x01\x02'); at >= 0; at = zip.indexOf('PK\x01\x02', at + 1))
    if (declared !== undefined) zip.writeUInt32LE(declared, at + 24);
  return zip;
}

/** The parts of a workbook with one sheet: its rows as XML, what stands below them, and settings of the workbook. */
export function workbookParts(rows: string, { below = '', settings = '' } = {}): Record<string, string> {
  const link = (id: string, type: string, target: string): string =>
    `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`;
  return {
    '_rels/.rels': `<Relationships>${link('r1', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml': `<workbook>${settings}<sheets><sheet name="People" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${link('r1', 'worksheet', 'worksheets/sheet1.xml')}${link('r2', 'styles', '/xl/styles.xml')}</Relationships>`,
    'xl/styles.xml':
      '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="[Red]yyyy\\-mm\\-dd hh:mm"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/><xf numFmtId="9"/></cellXfs></styleSheet>',
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows}</sheetData>${below}</worksheet>`,
  };
}

/** A cell with a text. */
export function textCell(place: string, text: string): string {
  return `<c r="${place}" t="inlineStr"><is><t>${text}</t></is></c>`;
}
