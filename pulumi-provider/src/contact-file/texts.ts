/** A text of a column, and how many rows have it. */
export type TextCount = readonly [text: string, count: number];

/** How many texts of a column a message shows, and how long each may be. */
const MOST_TEXTS = 20;
const LONGEST_TEXT = 80;

/** Counts the texts of a column; those after the first ones, long and personal ones all together. */
export class TextCounts {
  readonly #shown = new Map<string, number>();
  #others = 0;
  #longest = 0;

  /** Characters of the longest text. */
  get longest(): number {
    return this.#longest;
  }

  note(text: string): void {
    const count = this.#shown.get(text);
    this.#longest = Math.max(this.#longest, text.length);
    if (count !== undefined) this.#shown.set(text, count + 1);
    // An address is personal.
    else if (this.#shown.size < MOST_TEXTS && text.length <= LONGEST_TEXT && !text.includes('@'))
      this.#shown.set(text, 1);
    else this.#others += 1;
  }

  /** The texts, most of them first; `*` for those that are counted together. */
  get all(): readonly TextCount[] {
    const shown = [...this.#shown].sort(([, one], [, other]) => other - one);
    return this.#others > 0 ? [...shown, ['*', this.#others]] : shown;
  }

  /** Whether a message can list all of them. */
  get areFew(): boolean {
    return this.#others === 0;
  }
}
