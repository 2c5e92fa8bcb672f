import type { Identifiers } from '../item/operation.js';
import { InputProblem } from '../problem.js';

/** The contacts that the items of one run change. */
export class Contacts {
  readonly #names = new Map<number, readonly string[]>();
  /** By each identifier: the other one that was given with it, and the first item that did so. */
  readonly #together = new Map<string, { readonly other: string; readonly itemIndex: number }>();

  /**
   * Notes which contact an item changes.
   *
   * @throws InputProblem where an identifier comes with another one than in an earlier item: the service would change
   *   the contact of that item instead.
   */
  note(itemIndex: number, { email, userId }: Identifiers): void {
    const emailName = nameOf('Email', email);
    const userIdName = nameOf('User ID', userId);
    this.#names.set(
      itemIndex,
      [emailName, userIdName].filter((name) => name !== undefined),
    );
    if (emailName === undefined || userIdName === undefined) return;
    this.#pair(itemIndex, userIdName, emailName);
    this.#pair(itemIndex, emailName, userIdName);
  }

  /** Identifiers of the contact that an item changes, and those that other items give together with them. */
  of(itemIndex: number): readonly string[] {
    const names = this.#names.get(itemIndex) ?? [];
    return [...new Set(names.flatMap((name) => [name, this.#together.get(name)?.other ?? name]))];
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
