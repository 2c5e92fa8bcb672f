/** An element: its name without the prefix, its attributes, and what stands in it. */
export type Element = readonly [name: string, attributes: string, content: string | undefined];

/** The elements of these names in a text, in order. One of a name that is searched for stands in no other. */
export function* elementsIn(text: string, ...names: readonly string[]): Generator<Element, void> {
  const pattern = String.raw`<(?:\w+:)?(${names.join('|')})(?=[\s/>])([^>]*?)(?:/>|>([^]*?)</(?:\w+:)?\1\s*>)`;
  for (const [, name = '', attributes = '', content] of text.matchAll(new RegExp(pattern, 'g')))
    yield [name, attributes, content];
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
