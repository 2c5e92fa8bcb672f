import type { Identifiers } from '../item/operation.js';
import { InputProblem } from '../problem.js';

/** The contacts that the items of one run change: items of one contact, or key, are carried out one after the other. */
export class Contacts {
  readonly #names = new Map<number, readonly string[]>();
  /** By each identifier: the other one that was given with it, and the first item that did so. */
  readonly #together = new Map<string, { readonly other: string; readonly itemIndex: number }>();
  /** By identifier: the work that was begun last. */
  readonly #last = new Map<string, Promise<void>>();

  /** Notes which contact an item changes. One identifier with two others would change the contact of another item. */
  note(itemIndex: number, { email, userId }: Identifiers = {}, key?: string): void {
    const names = [nameOf('Email', email), nameOf('User ID', userId)].filter((name) => name !== undefined);
    this.#names.set(itemIndex, key === undefined ? names : [...names, key]);
    const [one, other] = names;
    if (one === undefined || other === undefined) return;
    this.#pair(itemIndex, other, one);
    this.#pair(itemIndex, one, other);
  }

  /** Does the work of an item after all that was begun for its contact, by any identifier that an item gives it. */
  async inOrder(itemIndex: number, work: () => Promise<void>): Promise<void> {
    const given = this.#names.get(itemIndex) ?? [];
    const names = new Set(given.flatMap((name) => [name, this.#together.get(name)?.other ?? name]));
    const earlier = [...names].flatMap((name) => this.#last.get(name) ?? []);
    const done = earlier.length === 0 ? work() : Promise.allSettled(earlier).then(work);
    for (const name of names) this.#last.set(name, done);
    try {
      await done;
    } finally {
      for (const name of names) if (this.#last.get(name) === done) this.#last.delete(name);
    }
  }

  #pair(itemIndex: number, name: string, other: string): void {
    const first = this.#together.get(name) ?? { other, itemIndex };
    this.#together.set(name, first);
    if (first.other === other) return;
    const names = [name, other, first.other, String(first.itemIndex)];
    throw new InputProblem({ code: 'identity-conflict', names });
  }
}

function nameOf(label: string, name: string | null | undefined): string | undefined {
  const trimmed = name?.trim() ?? '';
  return trimmed === '' ? undefined : `${label} '${label === 'Email' ? trimmed.toLowerCase() : trimmed}'`;
}
