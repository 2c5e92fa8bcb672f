/**
 * Finds elements of a name, with their attributes and content, whatever their prefix. None of them may stand in another
 * one.
 */
export function elements(name: string): RegExp {
  return new RegExp(
    String.raw`<(?:\w+:)?${name}(?=[\s/>])([^>]*?)(?:/>|>([^]*?)</(?:\w+:)?${name}\s*>)`,
    'g',
  );
}

/** Finds the attribute of a name, whatever its prefix. */
export function attribute(name: string): (attributes: string) => string | undefined {
  const pattern = new RegExp(String.raw`(?:^|[\s:])${name}\s*=\s*(?:"([^"]*)"|'([^']*)')`);
  return (attributes) => {
    const [, double, single] = pattern.exec(attributes) ?? [];
    const found = double ?? single;
    return found && decoded(found);
  };
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
const ESCAPED = /&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi;

/** A text with its entities and Excel's own escapes decoded. */
export function decoded(text: string): string {
  if (!text.includes('&') && !text.includes('_x')) return text;
  const entities = text.replaceAll(ESCAPED, (whole, hex?: string, decimal?: string, name = '') => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return ENTITIES[String(name)] ?? (code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole);
  });
  return entities.replaceAll(/_x([\da-f]{4})_/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
