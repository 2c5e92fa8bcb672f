import { isRecord, parseJsonText, wordProblem } from 'audience-core/internal';
import type { FileProblem } from '../messages/files.js';
import { groupName } from '../resources/contact-record/values.js';
import type { Raw } from '../resources/raw.js';
import { FileError } from './problems.js';
import type { Format } from './rows.js';

/** Value of a field that `clear` lists. */
export const CLEARED: unique symbol = Symbol('cleared');

/** JSON: an array of objects, or one object a line. Each object is read as soon as it ends. */
export const json: Format = async (source, reading) => {
  const isArray = /^[^{]*\[/.test(source.start);
  reading.begin(isArray ? 'item' : 'line');
  let [items, line] = [0, 1];
  for await (const [between, text] of objectsIn(source.text())) {
    const isEnd = text === '';
    const signs = isArray ? `${items === 0 ? '[' : isEnd ? '' : ','}${isEnd ? ']' : ''}` : '';
    line += newlines(between);
    const fail = (problem: FileProblem): never => {
      throw new FileError([{ ...problem, locations: [isArray ? `item ${items + 1}` : `line ${line}`] }]);
    };
    if (between.replaceAll(/\s/g, '') !== signs) fail({ code: 'file.json' });
    if (isEnd) break;
    const { value, lost } = parseJsonText(text);
    if (lost !== undefined) fail({ code: 'reason', expected: wordProblem(lost) });
    const [names, values] = isRecord(value) ? rowOf(value) : fail({ code: 'file.json' });
    items += 1;
    reading.row(isArray ? items : line, names, values);
    line += newlines(text);
  }
  if (isArray) source.endsInLineEnd = undefined;
};

/** The outermost objects of a text, each with what stands before it; at last what stands behind them. */
async function* objectsIn(chunks: AsyncIterable<string>): AsyncGenerator<readonly [string, string], void> {
  /** Signs that matter outside of texts, and whole texts. */
  const signs = /"(?:[^"\\]|\\.)*"|["{}]/gs;
  let text = '';
  let [open, start, searched] = [0, 0, 0];
  for await (const chunk of chunks) {
    text += chunk;
    let done = 0;
    signs.lastIndex = searched;
    // A quote that is not closed is a text that goes on in the next chunk.
    for (let sign = signs.exec(text); sign !== null && sign[0] !== '"'; sign = signs.exec(text)) {
      searched = signs.lastIndex;
      if (sign[0] === '{' && (open += 1) === 1) start = sign.index;
      if (sign[0] !== '}' || (open -= 1) !== 0) continue;
      yield [text.slice(done, start), text.slice(start, searched)];
      done = searched;
    }
    text = text.slice(done);
    searched -= done;
    start -= done;
  }
  yield [text, ''];
}

function newlines(text: string): number {
  return text.split('\n').length - 1;
}

/** The names and values of a record: `properties`, `subscriptionGroups` and `clear` are flat names. */
export function rowOf(record: Raw): readonly [names: string[], values: unknown[]] {
  const fields = Object.entries(record).flatMap(([name, value]): [string, unknown][] => {
    if (name === 'clear' && Array.isArray(value))
      return value.map((field: unknown) => [String(field), CLEARED]);
    if (name === 'properties' && isRecord(value)) return Object.entries(value);
    if (name !== 'subscriptionGroups' || !isRecord(value)) return [[name, value]];
    return Object.entries(value).map(([id, isIn]) => [groupName(id), isIn]);
  });
  const given = fields.filter(([, value]) => value !== undefined);
  return [given.map(([name]) => name), given.map(([, value]) => value)];
}
