/** How many letters may differ. */
const CLOSE = 2;

/** The one known name that differs in case, blanks or at most two letters; absent where none or several do. */
export function nearest(unknown: string, names: readonly string[]): string | undefined {
  const wanted = plain(unknown);
  // A short name is near to everything.
  for (let edits = 0; edits <= Math.min(CLOSE, wanted.length - 1); edits += 1) {
    const found = names.filter((name) => isWithin(edits, wanted, plain(name)));
    if (found.length > 0) return found.length === 1 ? found[0] : undefined;
  }
  return undefined;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, '');
}

/** Whether at most so many letters have to be added, removed, changed or swapped. */
function isWithin(edits: number, a: string, b: string): boolean {
  if (a === b || edits === 0) return a === b;
  let same = 0;
  while (same < a.length && a[same] === b[same]) same += 1;
  const [restA, restB] = [a.slice(same), b.slice(same)];
  const rest = (skipA: number, skipB: number) => isWithin(edits - 1, restA.slice(skipA), restB.slice(skipB));
  const isSwap = a[same] === b[same + 1] && a[same + 1] === b[same];
  return rest(1, 0) || rest(0, 1) || rest(1, 1) || (isSwap && rest(2, 2));
}
