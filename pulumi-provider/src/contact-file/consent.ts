import { bare } from './headers.js';
import { textOfCell, UnreadableCell } from './rows.js';

/** Whether somebody wants mail; `skip` leaves the row out. */
export type Answer = 'mail' | 'no mail' | 'skip';

/** Who wants mail: one answer for all rows, or by header the answer to each text. */
export type Consent = 'mail' | 'no mail' | Readonly<Record<string, Readonly<Record<string, Answer>>>>;

/** Stands for every other text that is not empty. */
const OTHERS = '*';

/** How many texts of a column a message shows. */
export const MOST_TEXTS = 12;

/** What the program answers to the texts of one column. */
export class ConsentColumn {
  /** Texts without an answer, and how many rows have them; beyond the first ones, all together. */
  readonly unanswered = new Map<string, number>();
  private readonly byText: ReadonlyMap<string, Answer>;

  constructor(
    readonly header: string,
    readonly answers: Readonly<Record<string, Answer>>,
    private readonly noValues: ReadonlySet<unknown>,
  ) {
    this.byText = new Map(Object.entries(answers).map(([text, answer]) => [comparableText(text), answer]));
  }

  /** The answer to a cell of somebody's row. Unanswered ones are counted. */
  answerTo(cell: unknown): Answer | undefined {
    if (cell instanceof UnreadableCell) return undefined;
    const written = textOfCell(cell);
    const text = this.noValues.has(written) ? '' : written;
    const others = text === '' ? undefined : this.byText.get(OTHERS);
    const answer = this.byText.get(comparableText(text)) ?? others;
    if (answer !== undefined) return answer;
    // An address is personal.
    const isShown = this.unanswered.has(text) || this.unanswered.size < MOST_TEXTS;
    const key = isShown && !text.includes('@') ? text : OTHERS;
    this.unanswered.set(key, (this.unanswered.get(key) ?? 0) + 1);
    return answer;
  }
}

/** One "no mail" decides, then one "skip". */
export function decisive(answers: readonly (Answer | undefined)[]): Answer | undefined {
  const first = answers.includes('skip') ? 'skip' : answers[0];
  return answers.includes('no mail') ? 'no mail' : first;
}

/** Headers that are compared as equal, or such texts of one header with different answers. */
export function repeatedIn(consent: Consent): readonly string[] | undefined {
  if (typeof consent === 'string') return undefined;
  const headers = [...Map.groupBy(Object.keys(consent), bare).values()];
  const texts = Object.values(consent).flatMap((answers) =>
    [...Map.groupBy(Object.keys(answers), comparableText).values()].filter(
      (equal) => new Set(equal.map((text) => answers[text])).size > 1,
    ),
  );
  return [...headers.filter(({ length }) => length > 1), ...texts][0];
}

/** A text as it is compared: without blanks around it, in NFC, without case. */
export function comparableText(text: string): string {
  return text.trim().normalize().toLowerCase();
}
