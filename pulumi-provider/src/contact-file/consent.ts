import { textOfCell } from './table.js';
import { OTHERS } from './texts.js';

/** Whether a contact wants mail; `skip` leaves the row out. */
export const ANSWERS = ['mail', 'no mail', 'skip'] as const;
/** The answers for all rows. */
export const LIST_ANSWERS = ['mail', 'no mail'] as const;
export type Answer = (typeof ANSWERS)[number];

/** What the program answers to the texts of one column. */
export class ConsentColumn {
  /** Texts without an answer. */
  readonly unanswered: string[] = [];
  readonly #byText: ReadonlyMap<string, Answer>;

  constructor(
    readonly header: string,
    readonly index: number,
    readonly answers: Readonly<Record<string, Answer>>,
  ) {
    this.#byText = new Map(Object.entries(answers).map(([text, answer]) => [comparableText(text), answer]));
  }

  /** The answer to a text of somebody's row. Unanswered ones are kept. */
  answerTo(text: string): Answer | undefined {
    const others = text === '' ? undefined : this.#byText.get(OTHERS);
    const answer = this.#byText.get(comparableText(text)) ?? others;
    if (answer === undefined) this.unanswered.push(text);
    return answer;
  }
}

/** What the columns say of a row: one "no mail" decides, then one "skip". */
export function answerOf(
  cells: readonly unknown[],
  columns: readonly ConsentColumn[],
  nullValues: readonly string[] | undefined,
): Answer | undefined {
  const answers = columns.map((column) => column.answerTo(textOfCell(cells[column.index], nullValues)));
  if (answers.includes('no mail')) return 'no mail';
  return answers.includes('skip') ? 'skip' : answers[0];
}

/** A text as it is compared: without blanks around it, in NFC, without case. */
export function comparableText(text: string): string {
  return text.trim().normalize().toLowerCase();
}
