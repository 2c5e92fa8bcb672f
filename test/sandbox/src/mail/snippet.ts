const LONGEST = 160;

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' },
  ...{ copy: '©', euro: '€', hellip: '…', mdash: '—', ndash: '–', rsquo: '’', zwnj: '' },
};

/** The beginning of a body's text, on one line; a subject that it begins with is left out. For display only. */
export function snippetOf(html: string, subject: string): string {
  const text = html
    // Enough of the body for a snippet: mails can be large, and lists long.
    .slice(0, 20_000)
    .replace(/<!--[^]*?-->|<(style|script|title|head)\b[^]*?<\/\1\s*>/gi, ' ')
    .replace(/<\/?(?:b|i|u|a|em|strong|span|font|small)\b[^>]*>/gi, '')
    .replace(/<[^>]*>?/g, ' ')
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (entity, decimal, hex, name) => {
      if (typeof name === 'string') return ENTITIES[name.toLowerCase()] ?? entity;
      const code = typeof hex === 'string' ? Number.parseInt(hex, 16) : Number(decimal);
      return code > 0x10_ff_ff ? entity : String.fromCodePoint(code);
    })
    .replace(/\s+/g, ' ')
    .trim();
  const rest = subject !== '' && text.startsWith(subject) ? text.slice(subject.length).trim() : text;
  if (rest.length <= LONGEST) return rest;
  return `${rest.slice(0, LONGEST).replace(/\s+\S*$/, '')}…`;
}
