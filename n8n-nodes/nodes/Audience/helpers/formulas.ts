import type { PropertyType } from 'audience-core';

/**
 * What makes a value of its type of one that only people understand, as a sentence; empty where nothing does. A cell
 * that is empty or of the type already stays as it is, and what the expression cannot read is refused again.
 */
export function formulaFor(type: PropertyType, value: unknown): string {
  const text = typeof value === 'string' ? value.trim() : '';
  if (type === 'boolean' && text !== '') {
    return take(
      "{{ ({ yes: true, no: false })[$json['column']?.trim?.().toLowerCase()] ?? $json['column'] }}",
      "and the words of your column for 'yes' and 'no', ",
    );
  }
  if (type === 'number') return numberFormula(text);
  if (type !== 'date') return '';
  return Number.isFinite(Number(value)) && value !== ''
    ? `A date is best written as 2027-01-31. For the day number of a spreadsheet: ${take("{{ $json['column'] > 0 ? new Date(($json['column'] - 25569) * 86400000).toISOString() : $json['column'] }}")}`
    : dateFormula(text);
}

function take(formulas: string, more = ''): string {
  return `With the name of your column for 'column', ${more}take ${formulas} as the field's expression, or in an 'Edit Fields' node before this one.`;
}

/** An expression that reads text, and leaves the rest as it is. */
function ofText(read: string): string {
  return `{{ $json['column']?.trim?.() ? ${read} : $json['column'] }}`;
}

function numberFormula(text: string): string {
  const without = (sign: string, by: string): string =>
    ofText(`Number($json['column'].replaceAll(${JSON.stringify(sign)}, '${by}'))`);
  if (/^\d{1,3},\d{3}$/.test(text)) {
    return take(`${without(',', '')} if its comma separates thousands, or ${without(',', '.')} if decimals,`);
  }
  if (/^[\d,]+(\.\d+)?$/.test(text)) return take(without(',', /^\d*,\d*$/.test(text) ? '.' : ''));
  const [, sign] = /^\d{1,3}(['’ \u00a0\u202f])\d{3}/.exec(text) ?? [];
  return sign === undefined ? '' : take(without(sign, ''));
}

function dateFormula(text: string): string {
  const [, first = '', sign = '', second = ''] = /^(\d{1,2})([./-])(\d{1,2})\2\d{4}$/.exec(text) ?? [];
  const as = (format: string): string =>
    ofText(`DateTime.fromFormat($json['column'], '${format}').toISODate() ?? $json['column']`);
  const dayFirst = as(`d${sign}M${sign}yyyy`);
  const monthFirst = as(`M${sign}d${sign}yyyy`);
  if (first === '') return 'Write it as 2027-01-31.';
  if (Number(second) > 12) return take(monthFirst);
  if (Number(first) > 12 || sign === '.') return take(dayFirst);
  return take(`${dayFirst} if the day comes first, or ${monthFirst} if the month does,`);
}
