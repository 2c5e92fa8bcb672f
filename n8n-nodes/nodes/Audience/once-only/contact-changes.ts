import { isRecord } from 'audience-core/internal';
import type { ContactUpdate } from 'audience-core';
import type { IExecuteFunctions } from 'n8n-workflow';
import * as z from 'zod/mini';
import { FlowMemory } from './flow-memory.js';
import { shortHash } from '../helpers/hash.js';

/** What is known of a contact; changes and fields by their hashes. */
const historySchema = z.object({
  /** Those that were begun, and whether it is known that they were carried out. */
  changes: z.record(z.string(), z.enum(['unclear', 'done'])),
  /** Which of them has set a field last, or may have, and of which item. */
  setBy: z.record(z.string(), z.object({ change: z.string(), itemIndex: z.number() })),
});
type History = z.infer<typeof historySchema>;

const memory = new FlowMemory(
  'audienceChanges',
  z.record(z.string(), z.record(z.string(), historySchema)),
  () => ({}),
);

/** A contact by one of its names, hashed, and what is known of it. */
interface Known {
  readonly name: string;
  readonly history: History;
}

/** How a change stands, of which an earlier try may know. */
export interface Standing {
  readonly state: 'new' | 'unclear' | 'done';
  /**
   * Fields of it that are to be set once more: it is the last item that sets them, and an older one has set them since.
   * Nobody is added to a group once more, as it may have been left since.
   */
  readonly again: readonly string[];
  /** To be called where it is clear that the change was not carried out. */
  readonly undo: () => void;
}

/**
 * What a run of the node has changed of each contact, and which change was the last. n8n keeps it with an execution that
 * failed, so that its Retry does not make a change again, over what people have done since, and does not leave a contact
 * with the values of an older item that went out late, as its content was corrected.
 */
export class ContactChanges {
  readonly #histories: Map<string, History>;
  /** The last item of this try that is to set a field of a contact. */
  readonly #plan = new Map<string, { readonly change: string; readonly itemIndex: number }>();
  readonly #keep: (histories: Readonly<Record<string, History>>) => void;

  /**
   * @param run the number of the node's run; `tool` where a model calls it, of which nothing is kept.
   * @param account whose contacts they are.
   */
  constructor(context: IExecuteFunctions, run: number | 'tool', account: string) {
    const kept = memory.of(context);
    const nodeRun = `${context.getNode().id} ${run} ${account}`;
    this.#histories = new Map(run === 'tool' ? [] : Object.entries(kept[nodeRun] ?? {}));
    this.#keep = (histories) => {
      Reflect.deleteProperty(kept, nodeRun);
      if (run !== 'tool' && Object.keys(histories).length > 0) kept[nodeRun] = histories;
    };
  }

  /** To be called for each item before any is carried out, with what it will change. */
  expect(names: readonly string[], change: string, sets: ContactUpdate, itemIndex: number): void {
    for (const name of names) {
      for (const field of fieldsIn(sets)) {
        const key = `${shortHash(name)} ${shortHash(field)}`;
        if ((this.#plan.get(key)?.itemIndex ?? 0) <= itemIndex) this.#plan.set(key, { change, itemIndex });
      }
    }
  }

  /**
   * To be called before a change is made, in the order of the items of a contact.
   *
   * @param names of the contact.
   * @param change names it: the same in each try.
   * @param sets fields of the contact, with their values.
   */
  begin(names: readonly string[], change: string, sets: ContactUpdate, itemIndex: number): Standing {
    const fields = fieldsIn(sets);
    const histories = names.map((name) => this.#of(name));
    const known = histories.map(({ history }) => history.changes[change]).find((one) => one !== undefined);
    const again = fields.filter(
      (field) => known !== undefined && !adds(sets, field) && this.#isBehind(histories, field, change),
    );
    const before = histories.map(({ history: { setBy } }) => ({ ...setBy }));
    for (const one of histories) {
      one.history.changes[change] ??= 'unclear';
      if (known === 'done') continue;
      for (const field of fields) if (!again.includes(field)) noteSetter(one, field, { change, itemIndex });
    }
    const undo = (): void => {
      for (const [index, { history }] of histories.entries()) {
        if (known === undefined) Reflect.deleteProperty(history.changes, change);
        history.setBy = before[index] ?? {};
      }
    };
    return { state: known ?? 'new', again, undo };
  }

  /** To be called when a change that was begun is carried out, with those of its fields that were set once more. */
  end(names: readonly string[], change: string, again: readonly string[], itemIndex: number): void {
    for (const one of names.map((name) => this.#of(name))) {
      one.history.changes[change] = 'done';
      for (const field of again) noteSetter(one, field, { change, itemIndex });
    }
  }

  /** Keeps what is known for a later try, where one may come. */
  keep(mayBeTriedAgain: boolean): void {
    this.#keep(mayBeTriedAgain ? Object.fromEntries(this.#histories) : {});
  }

  /** Whether a change is the last that is to set a field of a contact, and an older item has set it since. */
  #isBehind(contact: readonly Known[], field: string, change: string): boolean {
    const hash = shortHash(field);
    const planned = contact.flatMap(({ name }) => this.#plan.get(`${name} ${hash}`) ?? []);
    const [last] = planned.sort((one, other) => other.itemIndex - one.itemIndex);
    if (last?.change !== change) return false;
    return contact.some(({ history: { setBy } }) => {
      const setter = setBy[hash];
      return setter !== undefined && setter.change !== change && setter.itemIndex <= last.itemIndex;
    });
  }

  #of(contact: string): Known {
    const name = shortHash(contact);
    const history = this.#histories.get(name) ?? { changes: {}, setBy: {} };
    this.#histories.set(name, history);
    return { name, history };
  }
}

function noteSetter({ history }: Known, field: string, by: History['setBy'][string]): void {
  history.setBy[shortHash(field)] = by;
}

const GROUPS = 'subscriptionGroups';

/** Fields that a change sets, each group by itself. */
export function fieldsIn(sets: ContactUpdate): string[] {
  return Object.entries(sets).flatMap(([name, value]) =>
    name === GROUPS && isRecord(value) ? Object.keys(value).map((id) => `${GROUPS}.${id}`) : [name],
  );
}

/** Whether a field of a change adds the contact to a group. */
function adds({ subscriptionGroups = {} }: ContactUpdate, field: string): boolean {
  return Object.entries(subscriptionGroups).some(([id, isIn]) => isIn && field === `${GROUPS}.${id}`);
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
