import { problem, type PlanKind } from '../../messages/index.js';
import { ResourceError } from '../errors.js';
import { groupOf, type Values } from '../contact-record/values.js';
import type { Match } from './match.js';

/** Numbers of contacts by kind, and by the field, group, event or reason. */
export class Counts extends Map<PlanKind, Map<string, number>> {
  count(kind: PlanKind, name = '', number = 1): void {
    const counts = this.get(kind) ?? new Map<string, number>();
    if (number > 0) this.set(kind, counts.set(name, (counts.get(name) ?? 0) + number));
  }
}

/** What values do to a contact, with the field or group. */
export function kindsOf(values: Values): (readonly [PlanKind, string])[] {
  return Object.entries(values).flatMap(([name, value]): [PlanKind, string][] => {
    const group = groupOf(name);
    if (group !== undefined) return [[value === true ? 'joins' : 'leaves', group]];
    if (name === 'subscribed') return [['unsubscribed', '']];
    return value === null ? [['loses', name]] : [];
  });
}

/** What a run takes from contacts, by the declaration and the state alone. */
export class Removals {
  readonly #counts = new Counts();
  /** From how many contacts the run takes something. */
  losing = 0;

  /** @param isOptOut whether the list as a whole unsubscribes: that is no removal. */
  constructor(private readonly isOptOut: boolean) {}

  add({ todo, known, isNobody, values }: Match): void {
    if (todo === 'refuse') return;
    // An opt-out of nobody counts once, and a new row takes nothing else.
    const kinds = kindsOf(values).filter(([kind]) =>
      kind === 'unsubscribed' ? !this.isOptOut && !isNobody : kind !== 'joins' && known !== undefined,
    );
    for (const [kind, name] of kinds) this.#counts.count(kind, name);
    if (kinds.length > 0) this.losing += 1;
  }

  /** @throws ResourceError where a run would change too many contacts. */
  assertFew(rows: number, limit = Math.max(10, Math.floor(rows / 10))): void {
    const { losing } = this;
    if (losing > limit)
      throw new ResourceError(problem('contacts.removals', { counts: this.#counts, losing, limit }));
  }
}
