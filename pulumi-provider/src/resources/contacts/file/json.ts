import { isRecord, parseJsonText, wordProblem } from 'audience-core/internal';
import type { FileCode } from '../../../file-messages.js';
import type { Raw } from '../../raw.js';
import { FileError } from './problems.js';
import type { Format } from './rows.js';

/** Value of a field that `clear` lists. */
export const CLEARED: unique symbol = Symbol('cleared');

/** JSON: an array of objects, or one object a line. Each object is read as soon as it ends. */
export const json: Format = {
  matches: (start) => /^(ï»¿|ÿþ|þÿ)?[\s\0]*[[{]/.test(start),

  async read(source, sink) {
    const isArray = /^[^{]*\[/.test(source.start);
    sink.begin(isArray ? 'item' : 'line');
    let [items, line] = [0, 1];
    const fail = (code: FileCode, expected?: string): never => {
      const where = isArray ? `item ${items + 1}` : `line ${line}`;
      const locations = code === 'file.json-cut' ? [] : [where];
      throw new FileError(`'${source.file}'`, [{ code, expected, locations }]);
    };
    /** Reads a whole object, with what stands between it and the one before. */
    const read = (between: string, text: string): void => {
      const isFirst = items === 0;
      const expected = !isArray ? /^\s*$/ : isFirst ? /^\s*\[\s*$/ : /^\s*,\s*$/;
      line += newlines(between);
      if (!expected.test(between)) fail('file.json');
      const { value, lost } = parseJsonText(text);
      if (lost !== undefined) fail('file.json-lost', wordProblem(lost));
      if (!isRecord(value)) return fail('file.json');
      const { names, values } = rowOf(value);
      items += 1;
      sink.row(isArray ? items : line, names, values);
      line += newlines(text);
    };
    const rest = await readObjects(source.text(), read);
    const isWhole = !isArray ? /^\s*$/ : items === 0 ? /^\s*\[\s*\]\s*$/ : /^\s*\]\s*$/;
    const isEnded = isArray ? /\]\s*$/.test(rest) : !rest.includes('{');
    if (!isWhole.test(rest)) fail(isEnded ? 'file.json' : 'file.json-cut');
    if (isArray) source.endsInLineEnd = undefined;
  },
};

/** Signs that matter outside of texts, and whole texts. */
const SIGNS = /"(?:[^"\\]|\\.)*"|["{}]/gs;

/** Finds the outermost objects of a text, and returns what follows the last one. */
async function readObjects(
  chunks: AsyncIterable<string>,
  onObject: (between: string, text: string) => void,
): Promise<string> {
  let text = '';
  let [open, start, searched] = [0, 0, 0];
  for await (const chunk of chunks) {
    text += chunk;
    let done = 0;
    SIGNS.lastIndex = searched;
    for (let sign = SIGNS.exec(text); sign !== null; sign = SIGNS.exec(text)) {
      // A text that goes on in the next chunk.
      if (sign[0] === '"') {
        SIGNS.lastIndex = sign.index;
        break;
      }
      searched = SIGNS.lastIndex;
      if (sign[0] === '{') {
        if (open === 0) start = sign.index;
        open += 1;
      } else if (sign[0] === '}') {
        open -= 1;
        if (open === 0) {
          onObject(text.slice(done, start), text.slice(start, searched));
          done = searched;
        }
      }
    }
    text = text.slice(done);
    searched = Math.max(0, searched - done);
    start -= done;
  }
  return text;
}

function newlines(text: string): number {
  return text.split('\n').length - 1;
}

/** The names and values of a record: `properties`, `subscriptionGroups` and `clear` are flat names. */
export function rowOf(record: Raw): {
  readonly names: readonly string[];
  readonly values: readonly unknown[];
} {
  const names: string[] = [];
  const values: unknown[] = [];
  const add = (name: string, value: unknown): void => {
    if (value === undefined) return;
    names.push(name);
    values.push(value);
  };
  for (const [name, value] of Object.entries(record)) {
    const isNested = name === 'properties' || name === 'subscriptionGroups';
    if (name === 'clear' && Array.isArray(value)) for (const field of value) add(String(field), CLEARED);
    else if (isNested && isRecord(value))
      for (const [inner, one] of Object.entries(value))
        add(name === 'properties' ? inner : `subscriptionGroups.${inner}`, one);
    else add(name, value);
  }
  return { names, values };
}
