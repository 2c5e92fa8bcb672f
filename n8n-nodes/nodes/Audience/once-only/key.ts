import { hashOf } from '../host/hash.js';
import type { RunOfNode } from './anchor.js';

/** What is about to go out for an item. */
export interface Sending {
  /** Address and User ID of the recipient, as far as they are given. */
  readonly recipient: readonly [string | undefined, (string | undefined)?];
  /** Id of the design, or name of the event. */
  readonly designOrEvent: string;
  /** All that goes out. */
  readonly content: unknown;
}

/** What an item is, by what the node was given. */
export interface ItemIdentity {
  readonly run: RunOfNode;
  readonly operation: string;
  /** Hash of the item's JSON. */
  readonly json: string;
  /** How many items with the same JSON come before it. */
  readonly before: number;
  /** How often the service has refused it. */
  readonly refusals: number;
}

/**
 * The key of an item in one run of the workflow. Nothing that expressions compute is in it but the recipient and the
 * design or event. A model gives no input item: there the content counts.
 */
export function keyOfRun(item: ItemIdentity, { recipient, designOrEvent, content }: Sending): string {
  const { run, operation, json, before, refusals } = item;
  const whatItIsFor = [personOf(recipient), designOrEvent];
  const what = run.number === 'tool' ? [content] : [json, before];
  return wireKey('run', [run.anchor, run.node, run.number, operation, whatItIsFor, what, refusals]);
}

/** The key of a content, in any run of the account. */
export function keyOfContent(operation: string, sending: Sending): string {
  return wireKey('content', [operation, contentHash(sending)]);
}

/** The person's own key, bound to recipient and design or event: a slip in it skips nobody else. */
export function keyOfPerson(own: string, operation: string, { recipient, designOrEvent }: Sending): string {
  return wireKey('own', [own, operation, personOf(recipient), designOrEvent]);
}

/** A hash of recipient and content. */
export function contentHash({ recipient, content }: Sending): string {
  return hashOf([personOf(recipient), withoutEmail(content)]);
}

/** Addresses that differ in case only are one mailbox. */
function personOf([email, userId]: Sending['recipient']): (string | null)[] {
  return [email?.trim().toLowerCase() ?? null, userId?.trim() ?? null];
}

function withoutEmail(content: unknown): unknown {
  return typeof content === 'object' && content !== null ? { ...content, email: undefined } : content;
}

function wireKey(kind: string, named: readonly unknown[]): string {
  return `n8n-${kind}-${hashOf(named)}`;
}
