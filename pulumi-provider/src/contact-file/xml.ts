import { FileError } from './problems.js';

/** An element: its name without the prefix, its attributes, and what stands in it. */
export type Element = readonly [name: string, attributes: string, content: string | undefined];

/** No row of a workbook is longer. */
const LONGEST = 8_000_000;
const LONGEST_TAG = 64;

/** The elements of these names in a text. One of a name that is searched for stands in no other. */
export function* elementsIn(text: string, ...names: readonly string[]): Generator<Element, void> {
  for (const [, name = '', attributes = '', content] of text.matchAll(patternOf(names)))
    yield [name, attributes, content];
}

/** The same of a text in chunks, so that a long one is never whole in memory. */
export async function* elementsOf(
  chunks: AsyncIterable<string>,
  ...names: readonly string[]
): AsyncGenerator<readonly Element[], void> {
  const pattern = patternOf(names);
  // An element can only end where its name stands, which is much faster to find.
  const end = new RegExp(`(${names.join('|')})[^<]*>`);
  let [parts, length, tail]: [string[], number, string] = [[], 0, ''];
  for await (const chunk of chunks) {
    parts.push(chunk);
    if ((length += chunk.length) > LONGEST) throw new FileError({ code: 'file.workbook' });
    tail += chunk;
    const isEnded = end.test(tail);
    tail = tail.slice(-LONGEST_TAG);
    if (!isEnded) continue;
    const text = parts.join('');
    const found: Element[] = [];
    let done = 0;
    for (const match of text.matchAll(pattern)) {
      const [whole, name = '', attributes = '', content] = match;
      found.push([name, attributes, content]);
      done = match.index + whole.length;
    }
    parts = [text.slice(done)];
    length = text.length - done;
    yield found;
  }
}

function patternOf(names: readonly string[]): RegExp {
  return new RegExp(
    String.raw`<(?:\w+:)?(${names.join('|')})(?=[\s/>])([^>]*?)(?:/>|>([^]*?)</(?:\w+:)?\1\s*>)`,
    'g',
  );
}

/** The attribute of this name, without regard to its prefix. */
export function attribute(attributes: string, name: string): string | undefined {
  const [, double, single] =
    new RegExp(`(?:^|[\\s:])${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes) ?? [];
  const found = double ?? single;
  return found === undefined ? undefined : decoded(found);
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** A text with its entities and Excel's own escapes decoded. */
export function decoded(text: string): string {
  if (!text.includes('&') && !text.includes('_x')) return text;
  return text
    .replaceAll(
      /&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi,
      (whole, hex?: string, decimal?: string, name?: string) => {
        const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
        return ENTITIES[name ?? ''] ?? (code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole);
      },
    )
    .replaceAll(/_x([\da-f]{4})_/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
