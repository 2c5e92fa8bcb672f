import { bare } from './headers.js';
import { TextCounts } from './texts.js';

/** Whether a contact wants mail; `skip` leaves the row out. */
export const ANSWERS = ['mail', 'no mail', 'skip'] as const;
/** The answers for all rows. */
export const LIST_ANSWERS = ['mail', 'no mail'] as const;
export type Answer = (typeof ANSWERS)[number];

/** Who wants mail: one answer for all rows, or by header the answer to each text. */
export type Consent = 'mail' | 'no mail' | Readonly<Record<string, Readonly<Record<string, Answer>>>>;

/** Stands for every other text that is not empty. */
const OTHERS = '*';

/** What the program answers to the texts of one column. */
export class ConsentColumn {
  readonly unanswered = new TextCounts();
  private readonly byText: ReadonlyMap<string, Answer>;

  constructor(
    readonly header: string,
    readonly answers: Readonly<Record<string, Answer>>,
  ) {
    this.byText = new Map(Object.entries(answers).map(([text, answer]) => [comparableText(text), answer]));
  }

  /** The answer to a text of somebody's row. Unanswered ones are counted. */
  answerTo(text: string): Answer | undefined {
    const others = text === '' ? undefined : this.byText.get(OTHERS);
    const answer = this.byText.get(comparableText(text)) ?? others;
    if (answer === undefined) this.unanswered.note(text);
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
