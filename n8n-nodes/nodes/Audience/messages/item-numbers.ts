/** `item 3`, `items 3 and 4`, or `items 3 to 7, 9`. */
export function naming(indexes: Iterable<number>): string {
  const sorted = [...indexes].sort((a, b) => a - b);
  const ranges: [number, number][] = [];
  for (const index of sorted) {
    const last = ranges.at(-1);
    if (last?.[1] === index - 1) last[1] = index;
    else ranges.push([index, index]);
  }
  const texts = ranges.flatMap(([from, to]) =>
    to <= from + 1 ? [...new Set([from, to])].map(String) : [`${from} to ${to}`],
  );
  const shown = texts.length > 10 ? [...texts.slice(0, 10), '…'] : texts;
  return `item${sorted.length === 1 ? '' : 's'} ${shown.join(sorted.length === 2 ? ' and ' : ', ')}`;
}
