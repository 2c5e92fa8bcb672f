/** An element: its name without the prefix, its attributes, and what stands in it. */
type Element = readonly [name: string, attributes: string, content: string | undefined];

/** Makes a pattern of a name once. */
function once(make: (name: string) => RegExp): (name: string) => RegExp {
  const made = new Map<string, RegExp>();
  return (name) => {
    const pattern = made.get(name) ?? make(name);
    made.set(name, pattern);
    return pattern;
  };
}

const elementPattern = once(
  (name) =>
    new RegExp(String.raw`<(?:\w+:)?(${name})(?=[\s/>])([^>]*?)(?:/>|>([^]*?)</(?:\w+:)?\1\s*>)`, 'g'),
);
const attributePattern = once(
  (name) => new RegExp(String.raw`(?:^|[\s:])${name}\s*=\s*(?:"([^"]*)"|'([^']*)')`),
);

/** The elements of these names (`a|b`) in a text, in order. None of them stands in another one. */
export function* elementsIn(text: string, names: string): Generator<Element, void> {
  for (const [, name = '', attributes = '', content] of text.matchAll(elementPattern(names)))
    yield [name, attributes, content];
}

/** The attribute of this name, without regard to its prefix. */
export function attribute(attributes: string, name: string): string | undefined {
  const [, double, single] = attributePattern(name).exec(attributes) ?? [];
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
