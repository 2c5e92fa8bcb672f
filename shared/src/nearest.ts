/** How many letters may differ. */
const CLOSE = 2;

/** The one known name that differs in case, blanks or at most two letters; absent where none or several do. */
export function nearest(unknown: string, names: readonly string[]): string | undefined {
  const wanted = plain(unknown);
  const distances = names.map((name) => ({ name, distance: distanceOf(wanted, plain(name)) }));
  const best = Math.min(...distances.map(({ distance }) => distance));
  // A short name is near to everything.
  if (best > CLOSE || best >= Math.min(wanted.length, 4)) return undefined;
  const found = distances.filter(({ distance }) => distance === best);
  return found.length === 1 ? found[0]?.name : undefined;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, '');
}

/** Letters to add, remove, change or swap (optimal string alignment). */
function distanceOf(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > CLOSE) return Number.POSITIVE_INFINITY;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, last] = [last, row];
  }
  return last[b.length] ?? Number.POSITIVE_INFINITY;
}
