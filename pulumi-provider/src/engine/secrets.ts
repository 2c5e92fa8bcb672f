import { isRecord, sentence } from 'audience-core/internal';
import { textOf, type Problem } from '../messages/index.js';
import type { Reporter } from '../resources/run.js';

const HIDDEN = '[secret]';

/** Values that a program marks as secret: where one is a fact of a problem, its text does not show it. */
export class Secrets {
  readonly #texts = new Set<string>();

  /** Adds a secret value, and all values in it. */
  add(value: unknown): void {
    if (typeof value === 'string' || typeof value === 'number') this.#texts.add(String(value).toLowerCase());
    else if (Array.isArray(value)) for (const inner of value) this.add(inner);
    else if (isRecord(value)) for (const inner of Object.values(value)) this.add(inner);
  }

  get isEmpty(): boolean {
    return this.#texts.size === 0;
  }

  textOf(problem: Problem): string {
    return textOf(problem, (fact) => (this.#texts.has(fact.toLowerCase()) ? HIDDEN : fact));
  }

  reporterOf(to: { info(message: string): void; warn(message: string): void }): Reporter {
    return {
      info: (problem) => to.info(sentence(this.textOf(problem))),
      warn: (problem) => to.warn(sentence(this.textOf(problem))),
    };
  }
}
