/** A text of a column, and how many rows have it. */
export type TextCount = readonly [text: string, count: number];

/** Stands for every other text. */
export const OTHERS = '*';

/** How many texts of a column a message shows, and how long each may be. */
const MOST_TEXTS = 20;
const LONGEST_TEXT = 80;

/** Counts the texts of a column. Those after the first ones, long ones and addresses are counted as {@link OTHERS}. */
export function countTexts(texts: readonly string[]): readonly TextCount[] {
  const counts = new Map<string, number>();
  for (const text of texts) {
    const isShort = text.length <= LONGEST_TEXT && !text.includes('@');
    const isShown = counts.has(text) || (isShort && counts.size < MOST_TEXTS);
    const name = isShown ? text : OTHERS;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].sort(([, one], [, other]) => other - one);
}
