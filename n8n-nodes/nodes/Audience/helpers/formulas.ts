import type { PropertyType } from 'audience-core';

const WHERE =
  "as the field's expression, or in an 'Edit Fields' node before this one, with the name of your column for 'column'";

/**
 * What makes a value of its type of one that only people understand, as a sentence; empty where nothing does. What the
 * expression cannot read stays as it is and is refused again, and an empty cell stays empty.
 */
export function formulaFor(type: PropertyType, value: unknown): string {
  const text = typeof value === 'string' ? value.trim() : '';
  if (type === 'boolean' && text !== '') {
    return `Take {{ ({ yes: true, no: false })[$json.column?.trim().toLowerCase()] ?? $json.column }}, with the words of your column for 'yes' and 'no', ${WHERE}.`;
  }
  if (type === 'number') return numberFormula(text);
  if (type !== 'date') return '';
  return Number.isFinite(Number(value)) && value !== ''
    ? `The day number of a spreadsheet becomes a date with {{ $json.column > 0 ? new Date(($json.column - 25569) * 86400000).toISOString() : $json.column }} ${WHERE}. A date is best written as 2027-01-31.`
    : dateFormula(text);
}

function numberFormula(text: string): string {
  const without = (sign: string, by: string): string =>
    `{{ $json.column ? Number($json.column.replaceAll(${JSON.stringify(sign)}, '${by}')) : '' }}`;
  if (/^\d{1,3},\d{3}$/.test(text)) {
    return `If its comma separates thousands, take ${without(',', '')}; if it begins the decimals, ${without(',', '.')}, ${WHERE}.`;
  }
  if (/^[\d,]+(\.\d+)?$/.test(text)) {
    return `Take ${without(',', /^\d*,\d*$/.test(text) ? '.' : '')} ${WHERE}.`;
  }
  const [, sign] = /^\d{1,3}(['’ \u00a0\u202f])\d{3}/.exec(text) ?? [];
  return sign === undefined ? '' : `Take ${without(sign, '')} ${WHERE}.`;
}

function dateFormula(text: string): string {
  const [, first = '', sign = '', second = ''] = /^(\d{1,2})([./-])(\d{1,2})\2\d{4}$/.exec(text) ?? [];
  const as = (format: string): string =>
    `{{ $json.column ? DateTime.fromFormat($json.column, '${format}').toISODate() ?? $json.column : '' }}`;
  const dayFirst = as(`d${sign}M${sign}yyyy`);
  const monthFirst = as(`M${sign}d${sign}yyyy`);
  if (first === '') return 'Write it as 2027-01-31.';
  if (Number(second) > 12) return `Take ${monthFirst} ${WHERE}.`;
  if (Number(first) > 12 || sign === '.') return `Take ${dayFirst} ${WHERE}.`;
  return `If the day comes first, take ${dayFirst}; if the month does, ${monthFirst}, ${WHERE}.`;
}
