import { InputProblem } from '../helpers/errors.js';

/** A contact by its identifiers; text that is empty or missing names nobody. */
export interface Identifiers {
  readonly email?: string | undefined;
  readonly userId?: string | null | undefined;
}

/** The contacts that the items of one run change. */
export class ItemContacts {
  readonly #names = new Map<number, readonly string[]>();
  readonly #settingNothing = new Set<number>();
  /** By each identifier: the other one that was given with it, and the first item that did so. */
  readonly #together = new Map<
    string,
    { readonly other: string; readonly itemIndex: number; readonly userId: string }
  >();

  /**
   * Notes whom an item changes.
   *
   * @param contact whom the service chooses by either identifier.
   * @param others further names that the contact has afterwards.
   * @throws InputProblem where an identifier comes with another one than in an earlier item: the service would change
   *   the contact of that item in place of this one's.
   */
  note(itemIndex: number, { email, userId }: Identifiers, others: Identifiers = {}): void {
    const emailKey = nameKey('Email', email);
    const userIdKey = nameKey('User ID', userId);
    this.#names.set(
      itemIndex,
      [emailKey, userIdKey, nameKey('Email', others.email), nameKey('User ID', others.userId)].filter(
        (name) => name !== undefined,
      ),
    );
    if (emailKey === undefined || userIdKey === undefined) return;
    this.#assertTogether(userIdKey, emailKey);
    this.#assertTogether(emailKey, userIdKey);
    for (const [name, other] of [
      [userIdKey, emailKey],
      [emailKey, userIdKey],
    ] as const) {
      if (!this.#together.has(name)) this.#together.set(name, { other, itemIndex, userId: userId ?? '' });
    }
  }

  /** The User ID of the contact that an item changes, where one gives it together with its email, and that one. */
  userIdOf(itemIndex: number): { readonly userId: string; readonly itemIndex: number } | undefined {
    const [name] = this.#names.get(itemIndex) ?? [];
    return name === undefined ? undefined : this.#together.get(name);
  }

  /** Notes that an item sets no field of its contact: in what order it comes makes no difference to the contact. */
  noteNothingSet(itemIndex: number): void {
    this.#settingNothing.add(itemIndex);
  }

  setsSomething(itemIndex: number): boolean {
    return !this.#settingNothing.has(itemIndex);
  }

  /** Identifiers of the contact that an item changes, and those that other items give together with them. */
  of(itemIndex: number): readonly string[] {
    const names = this.#names.get(itemIndex) ?? [];
    return [...new Set(names.flatMap((name) => [name, this.#together.get(name)?.other ?? name]))];
  }

  #assertTogether(name: string, other: string): void {
    const first = this.#together.get(name);
    if (first === undefined || first.other === other) return;
    throw new InputProblem(
      `${name} comes with ${other} here, and with ${first.other} in item ${first.itemIndex}: both would change one contact`,
      'Check the expressions of both fields. Where a person did change one of the two, give only the other.',
    );
  }
}

function nameKey(label: string, name: string | null | undefined): string | undefined {
  const trimmed = name?.trim() ?? '';
  return trimmed === '' ? undefined : `${label} '${label === 'Email' ? trimmed.toLowerCase() : trimmed}'`;
}
