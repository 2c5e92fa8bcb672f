import { isRecord } from 'audience-core/contract';
import type { ContactUpdate } from 'audience-core';
import { createHash } from 'node:crypto';
import type { IExecuteFunctions } from 'n8n-workflow';
import * as z from 'zod/mini';

/** Changes of a contact, by their hashes. */
const historySchema = z.object({
  /** Those that were carried out, in their order. */
  done: z.array(z.string()),
  /** Those that were begun, and of which nobody knows whether they were carried out. */
  unclear: z.array(z.string()),
  /** Those of both kinds after which an older one may have gone out, with the fields that were set since. */
  overtaken: z.record(z.string(), z.array(z.string())),
});
type History = z.infer<typeof historySchema>;

const keptSchema = z.record(z.string(), z.record(z.string(), historySchema));

/** How a change stands, of which an earlier try may know. */
export interface Standing {
  readonly state: 'new' | 'unclear' | 'done';
  /** Fields of it that older changes may have set since. */
  readonly again: readonly string[];
}

/**
 * What a run of the node has changed of each contact, and in what order. n8n keeps it with an execution that failed, so
 * that its Retry does not make a change again, over what people have done since, and does not leave a contact with the
 * values of an older item that went out late, as its content was corrected.
 */
export class ContactChanges {
  readonly #histories: Map<string, History>;
  /** How far the items of this try have got in what was done before. */
  readonly #reached = new Map<string, number>();
  readonly #keep: (histories: Readonly<Record<string, History>>) => void;

  /**
   * @param run its number, of a node that a model has not called: what a model asks for again is meant again.
   * @param account whose contacts they are.
   */
  constructor(context: IExecuteFunctions, run: number | 'tool', account: string) {
    const flow = context.getContext('flow');
    const place = `${context.getNode().id} ${run} ${account}`;
    const kept = run === 'tool' ? {} : (keptSchema.safeParse(flow['audienceChanges']).data ?? {});
    this.#histories = new Map(Object.entries(kept[place] ?? {}));
    this.#keep = (histories) => {
      if (run !== 'tool') flow['audienceChanges'] = { ...kept, [place]: histories };
    };
  }

  /**
   * To be called before a change is made, in the order of the items of a contact.
   *
   * @param names of the contact.
   * @param change names it: the same in each try.
   * @param fields that it sets.
   */
  begin(names: readonly string[], change: string, fields: readonly string[]): Standing {
    const histories = names.map((name) => this.#of(name));
    // Two items that are alike, one behind the other, may be one change.
    const places = histories.map(({ name, history }) =>
      history.done.indexOf(change, Math.max(0, this.#reachedIn(name) - 1)),
    );
    if (places.length > 0 && places.every((place) => place >= 0)) {
      for (const [index, { name }] of histories.entries()) this.#reached.set(name, (places[index] ?? 0) + 1);
      return { state: 'done', again: [] };
    }
    const isUnclear = histories.some(({ history: { unclear } }) => unclear.includes(change));
    const isKnown = histories.some(
      ({ history }) => history.done.includes(change) || change in history.overtaken,
    );
    // Of one that has changed its place nobody knows what was set since.
    const isMoved = histories.some(({ name, history }) =>
      history.done.slice(0, this.#reachedIn(name)).includes(change),
    );
    const since = histories.flatMap(({ history }) => history.overtaken[change] ?? []);
    const again = isMoved ? fields : fields.filter((field) => since.includes(field));
    const state = !isKnown ? 'new' : isUnclear ? 'unclear' : 'done';
    for (const { name, history } of histories) {
      for (const later of history.done.splice(this.#reachedIn(name))) history.overtaken[later] ??= [];
      for (const [other, set] of Object.entries(history.overtaken)) {
        if (other !== change)
          set.push(...(state === 'done' ? again : fields).filter((field) => !set.includes(field)));
      }
      history.overtaken[change] ??= [];
      if (state === 'new') history.unclear.push(change);
    }
    return { state, again };
  }

  /** To be called when a change that was begun is carried out. */
  end(names: readonly string[], change: string): void {
    for (const { name, history } of names.map((one) => this.#of(one))) {
      Reflect.deleteProperty(history.overtaken, change);
      history.unclear = history.unclear.filter((other) => other !== change);
      if (history.done[this.#reachedIn(name) - 1] === change) continue;
      this.#reached.set(name, history.done.push(change));
    }
  }

  /** Keeps what is known for a later try, where one may come. */
  keep(mayBeTriedAgain: boolean): void {
    this.#keep(mayBeTriedAgain ? Object.fromEntries(this.#histories) : {});
  }

  #of(contact: string): { name: string; history: History } {
    const name = shortHash(contact);
    const history = this.#histories.get(name) ?? { done: [], unclear: [], overtaken: {} };
    this.#histories.set(name, history);
    return { name, history };
  }

  #reachedIn(name: string): number {
    return this.#reached.get(name) ?? 0;
  }
}

const GROUPS = 'subscriptionGroups';

/** Fields that a change sets, each group by itself. */
export function fieldsIn(sets: ContactUpdate): string[] {
  return Object.entries(sets).flatMap(([name, value]) =>
    name === GROUPS && isRecord(value) ? Object.keys(value).map((id) => `${GROUPS}.${id}`) : [name],
  );
}

/** Of a change those of its fields that are named. */
export function onlyFields(sets: ContactUpdate, fields: readonly string[]): ContactUpdate {
  const { subscriptionGroups = {}, ...others } = sets;
  const groups = Object.entries(subscriptionGroups).filter(([id]) => fields.includes(`${GROUPS}.${id}`));
  return {
    ...Object.fromEntries(Object.entries(others).filter(([name]) => fields.includes(name))),
    ...(groups.length === 0 ? {} : { subscriptionGroups: Object.fromEntries(groups) }),
  };
}

/** Tells one text from others, and does not tell it. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
