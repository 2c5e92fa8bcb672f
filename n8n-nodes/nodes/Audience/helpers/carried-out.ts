import type { IExecuteFunctions } from 'n8n-workflow';
import * as z from 'zod/mini';

const keptSchema = z.record(z.string(), z.array(z.string()));

/**
 * What a run of the node has carried out without a key, such as updates of contacts. n8n keeps it with an execution that
 * failed, so that a Retry does not do it again: it would undo what people have changed meanwhile.
 */
export class CarriedOut {
  readonly #names: Set<string>;
  readonly #keep: (names: string[] | undefined) => void;

  /** @param run its number, of a node that a model has not called: what a model asks for again is meant again. */
  constructor(context: IExecuteFunctions, run: number | 'tool') {
    const flow = context.getContext('flow');
    const place = `${context.getNode().id} ${run}`;
    const kept = keptSchema.safeParse(flow['audienceCarriedOut']).data ?? {};
    this.#names = new Set(run === 'tool' ? [] : kept[place]);
    this.#keep = (names) => {
      if (run === 'tool') return;
      const others = Object.entries(kept).filter(([name]) => name !== place);
      flow['audienceCarriedOut'] = Object.fromEntries(
        names === undefined ? others : [...others, [place, names]],
      );
    };
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  add(name: string): void {
    this.#names.add(name);
  }

  /** Keeps it for a Retry of a run that failed; of one that did not nothing is kept. */
  end(hasFailed: boolean): void {
    this.#keep(hasFailed && this.#names.size > 0 ? [...this.#names] : undefined);
  }
}
