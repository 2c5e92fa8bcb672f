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
  if (typeof value !== 'number' && !/^\d+(\.\d+)?$/.test(text)) return dateFormula(text);
  if (/^(19|20)\d\d$/.test(String(value).trim()))
    return 'A year by itself is no date: write it as 2027-01-31.';
  return Number(value) < LATEST_DAY_NUMBER
    ? `A date is best written as 2027-01-31. For the day number of a spreadsheet: ${take("{{ $json['column'] > 0 ? new Date(($json['column'] - 25569) * 86400000).toISOString() : $json['column'] }}")}`
    : 'A date is best written as 2027-01-31.';
}

/** The same for a value that was typed into the form: how to write it. */
export function byHand(type: PropertyType, value: unknown): string {
  const advice = formulaFor(type, value);
  return advice.includes('{{') ? BY_HAND[type] : advice;
}

const BY_HAND: Readonly<Record<PropertyType, string>> = {
  string: '',
  number: 'Write it with a dot for the decimals and no other sign, as 1234.5.',
  boolean: 'Write it as true or false.',
  date: 'Write it as 2027-01-31.',
};

/** A spreadsheet counts days from 1899-12-30: this one is in the year 2173. */
const LATEST_DAY_NUMBER = 100_000;

function take(formulas: string, more = ''): string {
  return `With the name of your column for 'column', ${more}take ${formulas} as the field's expression, or in an 'Edit Fields' node before this one (with 'Include Other Input Fields' on).`;
}

/** An expression that reads text, and leaves the rest as it is. */
function ofText(read: string): string {
  return `{{ $json['column']?.trim?.() ? ${read} : $json['column'] }}`;
}

/** @param cell an expression for the text. */
function numberFormula(text: string, cell = "$json['column']"): string {
  const unsigned = text.replace(/^[-+]/, '');
  const [currency = ''] = /[€$£]|\b[A-Z]{3}\b/.exec(text) ?? [];
  if (currency !== '')
    return numberFormula(text.replace(currency, '').trim(), `${cell}.replace('${currency}', '')`);
  // What does not separate thousands stays, so that the value is refused: 12,5 must not become 125.
  const without = (sign: string): string =>
    ofText(String.raw`Number(${cell}.replace(/${sign}(?=\d{3}\b)/g, ''))`);
  if (/^\d{1,3},\d{3}$/.test(unsigned)) {
    const asDecimals = ofText(`Number(${cell}.replace(',', '.'))`);
    return take(`${without(',')} if its comma separates thousands, or ${asDecimals} if decimals,`);
  }
  // Where a comma is the decimal sign, a dot before three digits is none: of another cell it makes 1250 of 1.250.
  if (/^[\d.'’\s]*,\d*$|^\d{1,3}(\.\d{3}){2,}$/.test(unsigned))
    return `${take(ofText(String.raw`Number(${cell}.replace(/(\b0)?[.'’\s](?=\d{3}\b)/g, (dot, zero) => zero ? dot : '').replace(',', '.'))`))} It takes a dot before three digits for a thousands separator: 1.250 becomes 1250.`;
  if (/^\d+(\.\d+)?$/.test(unsigned)) return take(ofText(`Number(${cell})`));
  if (/^[\d,]+(\.\d+)?$/.test(unsigned)) return take(without(','));
  const [, sign] = /^\d{1,3}(['’ \u00a0\u202f])\d{3}/.exec(unsigned) ?? [];
  return sign === undefined ? '' : take(without(sign));
}

/** Dates with the English name of a month. */
const WRITTEN_MONTHS: readonly [RegExp, string][] = [
  [/^\d{1,2} (?!May )[A-Z][a-z]{2} \d{4}$/, 'd LLL yyyy'],
  [/^\d{1,2} [A-Z][a-z]+ \d{4}$/, 'd LLLL yyyy'],
  [/^(?!May )[A-Z][a-z]{2} \d{1,2}, \d{4}$/, 'LLL d, yyyy'],
  [/^[A-Z][a-z]+ \d{1,2}, \d{4}$/, 'LLLL d, yyyy'],
];

function dateFormula(text: string): string {
  const [, first = '', sign = '', second = ''] =
    /^(\d{1,2})([./-])(\d{1,2})\2\d{4}(?=$| \d)/.exec(text) ?? [];
  const time = / \d{1,2}:\d\d(:\d\d)?$/.exec(text);
  const hours = time === null ? '' : ` H:mm${time[1] === undefined ? '' : ':ss'}`;
  const as = (format: string): string =>
    ofText(
      hours === ''
        ? `DateTime.fromFormat($json['column'].trim(), '${format}').toISODate() ?? $json['column']`
        : `DateTime.fromFormat($json['column'].trim(), '${format}${hours}', { zone: 'utc' }).toISO() ?? $json['column']`,
    );
  const dayFirst = as(`d${sign}M${sign}yyyy`);
  const monthFirst = as(`M${sign}d${sign}yyyy`);
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return 'No month has that day.';
  const written = WRITTEN_MONTHS.find(([looks]) => looks.test(text))?.[1];
  if (written !== undefined) return take(as(written));
  if (first === '') return 'Write it as 2027-01-31.';
  if (Number(second) > 12) return take(monthFirst);
  if (Number(first) > 12 || sign === '.') return take(dayFirst);
  return take(`${dayFirst} if the day comes first, or ${monthFirst} if the month does,`);
}
