import { hashOf } from '../host/host.js';
import type { Sending } from '../item/operation.js';
import type { RunOfNode } from './anchor.js';

/** Where an item stands in a run of the node: a Retry finds it there. */
export interface Place {
  /** Its name in the store. */
  readonly name: string;
  /**
   * What tells it from the others in its key: number of the node's run, hash of the item's JSON, and how many items with
   * the same JSON come before. A model gives no items: there it is a hash of the content, and the number of equal calls.
   */
  readonly identity: readonly [run: number | 'tool', hash: string, before: number];
}

/**
 * The key of an item in one run of the workflow. Nothing that expressions compute is in it but the recipient and the
 * design or event; of a call by a model, all that goes out.
 */
export function keyOfRun(
  run: RunOfNode,
  operation: string,
  place: Place,
  sending: Sending,
  refusals: number,
): string {
  return `n8n-run-${hashOf([run.anchor, run.node, operation, recipientAndDesign(sending), place.identity, refusals])}`;
}

/** The key of an item with an 'Idempotency Key', bound to the recipient and the design or event. */
export function keyOfPerson(own: string, operation: string, sending: Sending): string {
  return `n8n-own-${hashOf([own, operation, recipientAndDesign(sending)])}`;
}

/** A hash of all that goes out; addresses that differ in case only are one mailbox. */
export function contentHash(sending: Sending): string {
  const { content } = sending;
  const rest = typeof content === 'object' && content !== null ? { ...content, email: undefined } : content;
  return hashOf([recipientAndDesign(sending), rest]);
}

function recipientAndDesign({ recipient: { email, userId }, designOrEvent }: Sending): readonly unknown[] {
  return [email?.trim().toLowerCase() ?? null, userId?.trim() ?? null, designOrEvent];
}

/** Items of one run that have the same 'Idempotency Key' for one recipient and one design or event. */
export class OwnKeys {
  /** By key: content by item, in the order of the input. */
  readonly #contents = new Map<string, Map<number, string>>();

  note(itemIndex: number, key: string, sending: Sending): void {
    const contents = this.#contents.get(key) ?? new Map<number, string>();
    this.#contents.set(key, contents.set(itemIndex, contentHash(sending)));
  }

  /** Items with one key for different contents: the service would send only one of them. */
  conflicts(): number[] {
    return [...this.#contents.values()].flatMap((contents) =>
      new Set(contents.values()).size > 1 ? [...contents.keys()] : [],
    );
  }
}
