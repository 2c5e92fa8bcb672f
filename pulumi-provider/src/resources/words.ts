/** A reason as a sentence of its own. */
export function sentence(reason: string): string {
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
}

/** `1 contact`, `3,000 contacts`. */
export function contactsOf(number: number): string {
  return counted(number, 'contact');
}

/** `1 row`, `3,000 rows`. */
export function counted(number: number, noun: string): string {
  return `${digits(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** `3,000`. */
export function digits(number: number): string {
  return number.toLocaleString('en');
}

/** How many sentences of one run a person is shown, at most. */
const SHOWN = 7;

/** The first sentences, and how many more there are. */
export function limited(sentences: readonly string[]): string[] {
  const shown = sentences.slice(0, SHOWN);
  const rest = sentences.length - shown.length;
  return rest === 0 ? shown : [...shown, `and ${digits(rest)} more`];
}

/** What to say of an input that does not exist: the nearest of those that do, or all of them. */
export function unknownInput(name: string, names: readonly string[]): string {
  const near = nearest(name, names);
  return near === undefined
    ? `Unknown input '${name}'. The inputs are ${names.join(', ')}`
    : `Unknown input '${name}'. Did you mean '${near}'?`;
}

/** The name that differs least, where it differs by a case, or by two characters of four or more. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  const [best] = names
    .map((other) => ({ other, far: distance(plain(name), plain(other)) }))
    .filter(({ far }) => far <= (name.length < 4 ? 1 : 2))
    .sort((a, b) => a.far - b.far);
  return best?.other;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[_\s-]/g, '');
}

/** How many characters have to be added, removed or changed (Levenshtein). */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let index = 0; index < from.length; index += 1) {
    const next = [index + 1];
    for (let column = 1; column <= to.length; column += 1) {
      const same = (row[column - 1] ?? 0) + (to[column - 1] === from[index] ? 0 : 1);
      next.push(Math.min(same, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
