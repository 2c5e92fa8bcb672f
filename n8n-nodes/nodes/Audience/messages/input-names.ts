import { isRecord } from 'audience-core/internal';
import { shortened } from './text.js';

const MOST_NAMES = 12;

/**
 * Which fields the input has, as a sentence with a blank in front; what is wrong with their names comes first.
 *
 * @param expression whose way into the item is followed, as far as there are values.
 */
export function adviceOnInput(json: unknown, expression = ''): string {
  const names = namesOf(json);
  const [first = ''] = names;
  if (names.length === 1 && /[;\t]/.test(first))
    return " The file was read as one column: set the right 'Delimiter' in the node that reads the file.";
  if (first.startsWith('\uFEFF'))
    return " The first column begins with an invisible mark: turn on 'Exclude Byte Order Mark (BOM)' in the node that reads the file.";
  const [, way = ''] = /\$json((?:\.\w+)+)/.exec(expression) ?? [];
  let owner = 'The input';
  let record = json;
  for (const name of way.split('.').slice(1)) {
    const inner = isRecord(record) ? record[name] : undefined;
    if (!isRecord(inner)) break;
    [owner, record] = [`'${name}'`, inner];
  }
  const all = namesOf(record);
  const shown = all.slice(0, MOST_NAMES).map((name) => `'${shortened(name)}'`);
  const more = all.length > MOST_NAMES ? ` and ${all.length - MOST_NAMES} more` : '';
  return shown.length === 0 ? '' : ` ${owner} has ${shown.join(', ')}${more}.`;
}

function namesOf(value: unknown): string[] {
  return isRecord(value) ? Object.keys(value) : [];
}
