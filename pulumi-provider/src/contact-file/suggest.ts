import type { Inputs } from '../resources/contacts/inputs.js';
import { likelyFields, type ByHeader } from './aliases.js';
import type { Column, Columns } from './columns.js';

/**
 * The options to copy, one a line. They hold each column about consent; where a column has a text that only a person can
 * judge, or no header is likely to be the email, there is nothing to copy.
 *
 * @param isWhole whether all rows were read: then the texts of columns about consent are known.
 */
export function suggestion(columns: Columns, options: Inputs, isWhole: boolean): string {
  const { headerRow } = columns;
  const all = [...columns.all.values()];
  // Headers that the file does not have are not copied.
  const present = <Value>(by: ByHeader<Value>): Map<string, Value> =>
    new Map(all.flatMap(({ header }) => [by.find(header)].filter((entry) => entry !== undefined)));
  const fields = columns.map === undefined ? fieldsToCopy(columns, all) : present(columns.map);
  const mapped = new Set(fields.values());
  if (!mapped.has('email') && !mapped.has('userId')) return '';
  const unsubscribed = present(columns.answers);
  for (const { header, consent } of all) {
    if (consent === undefined || (!consent.isOpen && consent.found.size === 0)) continue;
    const { answer, found, suggestion: told } = consent;
    // An address is personal, and no state.
    if ([...found].some((text) => text.includes('@'))) return '';
    if (answer !== undefined)
      unsubscribed.set(columns.answers.find(header)?.[0] ?? header, [...answer, ...found]);
    else if (told === undefined || !isWhole) return '';
    else unsubscribed.set(header, told);
  }
  const isUnmapped =
    columns.map === undefined && (columns.isAsked || columns.unknown.size > 0 || !columns.hasIdentifier);
  const read = all.filter(({ header }) => typeof fields.get(header) === 'string');
  const noValues = new Set(read.flatMap((column) => [...column.noValues]));
  const isSkipping =
    !mapped.has('userId') && read.some((column) => column.hasEmpty && fields.get(column.header) === 'email');
  const copied: Inputs = {
    ...(headerRow !== undefined && { headerRow }),
    ...(isUnmapped && { columns: Object.fromEntries(fields) }),
    ...(unsubscribed.size > 0 && { unsubscribed: Object.fromEntries(unsubscribed) }),
    ...(noValues.size > 0 && { nullValues: [...(options.nullValues ?? []), ...noValues] }),
    ...(isSkipping && options.invalidRows !== 'skip' && { invalidRows: 'skip' }),
  };
  return Object.entries(copied)
    .map(([name, value]) => `  ${name}: ${JSON.stringify(value)},`)
    .join('\n');
}

/** `columns` with the fields that are read now, and with those that are likely. */
function fieldsToCopy(columns: Columns, all: readonly Column[]): Map<string, string | null> {
  const likely = likelyFields(all.map(({ header }) => header));
  const ways: ((column: Column) => string | undefined)[] = [
    ({ header }) => (columns.isField(header) ? header : undefined),
    ({ header }) => likely.get(header),
    ({ header, consent }) => (consent?.kind === undefined ? columns.propertyLike(header) : undefined),
  ];
  const fields = new Map<string, string>();
  const taken = new Set<string>();
  for (const way of ways)
    for (const column of all) {
      const field = way(column);
      if (field === undefined || taken.has(field) || fields.has(column.header)) continue;
      fields.set(column.header, field);
      taken.add(field);
    }
  return fields;
}
