import { isRecord, parseJsonText } from 'audience-core/internal';
import { groupName } from './fields.js';
import { FileError, type FileProblem } from './problems.js';
import type { Format, NamedRow } from './rows.js';
import { linesIn, type Source } from './source.js';

/** Value of a field that `clear` lists. */
export const CLEARED: unique symbol = Symbol('cleared');

/** JSON: an array of objects, or one object a line. Each object is read as soon as it ends. */
export const json: Format = (source) => {
  const isArray = /^[^{]*\[/.test(source.start);
  return { unit: isArray ? 'item' : 'line', rows: records(source, isArray) };
};

async function* records(source: Source, isArray: boolean): AsyncGenerator<readonly NamedRow[], void> {
  let [items, line] = [0, 1];
  for await (const objects of objectsIn(source.text())) {
    const rows: NamedRow[] = [];
    for (const [between, text] of objects) {
      const isEnd = text === '';
      const signs = isArray ? `${items === 0 ? '[' : isEnd ? '' : ','}${isEnd ? ']' : ''}` : '';
      line += linesIn(between);
      const number = isArray ? items + 1 : line;
      // The line is the row's number, so a second object needs a line of its own.
      const isOnLine = !isArray && !isEnd && items > 0 && linesIn(between) === 0;
      const isFaulty = isOnLine || between.replaceAll(/\s/g, '') !== signs;
      const problem = isFaulty ? ({ code: 'file.json' } as const) : undefined;
      const read = isEnd || problem !== undefined ? { problem } : recordOf(text);
      if (read.problem !== undefined) {
        yield rows;
        throw new FileError({ ...read.problem, locations: [`${isArray ? 'item' : 'line'} ${number}`] });
      }
      if ('names' in read) rows.push({ ...read, number });
      items += 1;
      line += linesIn(text);
    }
    yield rows;
  }
  if (isArray) source.endsInLineEnd = undefined;
}

function recordOf(text: string): Omit<NamedRow, 'number'> & { readonly problem?: FileProblem } {
  const { value, lost } = parseJsonText(text);
  if (lost !== undefined) return { names: [], problem: { code: 'row.value', issue: lost } };
  return isRecord(value) ? namedRowOf(value) : { names: [], problem: { code: 'file.json' } };
}

/** The outermost objects of a text, each with the text before it; last the text after them. */
async function* objectsIn(
  chunks: AsyncIterable<string>,
): AsyncGenerator<readonly (readonly [between: string, object: string])[], void> {
  /** Signs that matter outside of texts, and whole texts. */
  const signs = /"(?:[^"\\]|\\.)*"|["{}]/gs;
  let text = '';
  let [open, start, searched] = [0, 0, 0];
  for await (const chunk of chunks) {
    text += chunk;
    let done = 0;
    const objects: [string, string][] = [];
    signs.lastIndex = searched;
    // A quote that is not closed is a text that goes on in the next chunk.
    for (let sign = signs.exec(text); sign !== null && sign[0] !== '"'; sign = signs.exec(text)) {
      searched = signs.lastIndex;
      if (sign[0] === '{' && (open += 1) === 1) start = sign.index;
      if (sign[0] !== '}' || (open -= 1) !== 0) continue;
      objects.push([text.slice(done, start), text.slice(start, searched)]);
      done = searched;
    }
    text = text.slice(done);
    searched -= done;
    start -= done;
    yield objects;
  }
  yield [[text, '']];
}

/** The names and cells of a record: `properties`, `subscriptionGroups` and `clear` are flat names. */
export function namedRowOf(record: Readonly<Record<string, unknown>>) {
  const fields = Object.entries(record).flatMap(([name, value]): [string, unknown][] => {
    if (name === 'clear' && Array.isArray(value))
      return value.map((field: unknown) => [String(field), CLEARED]);
    if (name === 'properties' && isRecord(value)) return Object.entries(value);
    if (name !== 'subscriptionGroups' || !isRecord(value)) return [[name, value]];
    return Object.entries(value).map(([id, isIn]) => [groupName(id), isIn]);
  });
  const given = fields.filter(([, value]) => value !== undefined);
  return { names: given.map(([name]) => name), cells: given.map(([, value]) => value) };
}
