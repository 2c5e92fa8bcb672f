import type { IExecuteFunctions } from 'n8n-workflow';
import * as z from 'zod/mini';
import { FlowMemory } from './flow-memory.js';

const sentSchema = z.object({
  /** With which key it went out, or may have. */
  key: z.string(),
  /** That there was no clear answer, or that the key is used, which may be by something else. */
  doubt: z.optional(z.enum(['unclear', 'used'])),
});
type Sent = z.infer<typeof sentSchema>;

const memory = new FlowMemory(
  'audienceSent',
  /** By the run of a node, the index of an item, and the hash of what went out for whom. */
  z.record(z.string(), z.record(z.string(), z.record(z.string(), sentSchema))),
  () => ({}),
);

/** What came of sending something. */
type Outcome = 'sent' | NonNullable<Sent['doubt']>;

/** What is known of a key: for which item and content it went out, or may have. */
interface Use {
  readonly itemIndex: number;
  readonly content: string;
  readonly sent: Sent;
}

/** The key by which an item is to go. */
export interface KeyOfItem {
  readonly key: string;
  /**
   * Why it cannot. `ambiguous`: another content had the key, too, so that a used key says nothing of this one. `taken`:
   * an equal item goes by the key that this one has, and the key which that item has no use for had another content.
   */
  readonly doubt: 'ambiguous' | 'taken' | undefined;
}

/**
 * What the items of a run have sent, or may have, each with its key. n8n keeps it with an execution that failed: who
 * corrects a key, or chooses another kind of key, does not mean that what went out by then is to go out once more.
 */
export class SentItems {
  readonly #ofRuns: ReturnType<typeof memory.of>;
  readonly #items: ReturnType<typeof memory.of>[string];
  /** The service carries out one request with a key: of several uses, one at most was carried out. */
  readonly #uses = new Map<string, Use[]>();
  /** Items that this try has looked at. */
  readonly #seen = new Set<number>();
  /** What equal items have sent, by which items go in this try: it becomes theirs when they do. */
  readonly #lent = new Map<number, Use>();
  /** Keys of earlier tries by which items go in this one, each with the key that the item has now. */
  readonly #taken = new Map<string, { readonly itemIndex: number; readonly own: string }>();

  /** @param nodeRun the node, the number of its run, and the account. */
  constructor(
    context: IExecuteFunctions,
    private readonly nodeRun: string,
  ) {
    this.#ofRuns = memory.of(context);
    this.#items = { ...this.#ofRuns[nodeRun] };
    for (const [item, contents] of Object.entries(this.#items))
      for (const [content, sent] of Object.entries(contents))
        this.#usesOf(sent.key).push({ itemIndex: Number(item), content, sent });
  }

  /** How the very same went out for an item, or may have; nothing where an equal item goes by it in this try. */
  find(itemIndex: number, hash: string): Sent | undefined {
    const content = contentOf(hash);
    const sent = this.#items[itemIndex]?.[content];
    if (sent !== undefined && this.#holderOf(sent.key, itemIndex) === itemIndex) return sent;
    const lent = this.#lent.get(itemIndex);
    return lent?.content === content ? lent.sent : undefined;
  }

  /**
   * The key by which an item is to go: that of an earlier try, if the very same went out with it, or may have. Items
   * that are the same are as good as one another: where their keys were changed or have changed places, each key still
   * sends one of them.
   *
   * @param own the key that the item has now.
   */
  keyFor(itemIndex: number, hash: string, own: string): KeyOfItem {
    let key = own;
    const tried = new Set<string>();
    while (this.find(itemIndex, hash) === undefined && !tried.has(key)) {
      tried.add(key);
      this.#lend(key, itemIndex, hash);
      // The item that goes by this key has no use for its own.
      key = this.#taken.get(key)?.own ?? key;
    }
    this.#seen.add(itemIndex);
    const sent = this.find(itemIndex, hash);
    const isOfOthers = this.isOfOtherContent(sent?.key ?? key, hash, 'unclear');
    if (sent === undefined) return { key, doubt: key !== own && isOfOthers ? 'taken' : undefined };
    this.#taken.set(sent.key, { itemIndex, own });
    // By its own key an item counts as sent, whatever that has sent; what is lent was never of that key.
    const isOwn = sent.key === own && !this.#lent.has(itemIndex);
    const isAmbiguous = sent.doubt !== undefined && !isOwn && isOfOthers;
    return { key: sent.key, doubt: isAmbiguous ? 'ambiguous' : undefined };
  }

  /** Whether another item went out with a key, or may have. */
  isOfAnotherItem(key: string, itemIndex: number): boolean {
    return this.#uses.get(key)?.some((use) => use.itemIndex !== itemIndex) === true;
  }

  /**
   * Whether another content went out with a key.
   *
   * @param least what is known of it at least: that it is used, or only that it may have gone out.
   */
  isOfOtherContent(key: string, hash: string, least: NonNullable<Sent['doubt']>): boolean {
    const others = this.#uses.get(key)?.filter(({ content }) => content !== contentOf(hash)) ?? [];
    return others.some(({ sent }) => least === 'unclear' || sent.doubt !== 'unclear');
  }

  /** Another item that went out with a key for another content, or may have; `undefined` where there is none. */
  otherContent(
    key: string,
    itemIndex: number,
    hash: string,
  ): { itemIndex: number; unclear: boolean } | undefined {
    const uses = this.#uses.get(key)?.filter((use) => use.itemIndex !== itemIndex) ?? [];
    const [other] = uses;
    if (other === undefined || uses.some(({ content }) => content === contentOf(hash))) return undefined;
    return { itemIndex: other.itemIndex, unclear: uses.every(({ sent }) => sent.doubt === 'unclear') };
  }

  /** Notes what came of it that something was sent for an item. */
  note(itemIndex: number, hash: string, key: string, outcome: Outcome): void {
    const content = contentOf(hash);
    const lent = this.#lent.get(itemIndex);
    // Without an answer nothing says that the item has it.
    if (outcome !== 'unclear' && lent?.sent.key === key && lent.content === content) {
      this.#lent.delete(itemIndex);
      // The one that lent it may have sent something with another key by now.
      if (this.#items[lent.itemIndex]?.[content]?.key === key) this.#forget(lent);
      this.#set({ ...lent, itemIndex });
    }
    const others = this.#usesOf(key).filter((use) => use.itemIndex !== itemIndex || use.content !== content);
    if (outcome === 'sent') {
      for (const use of others) if (use.sent.doubt !== undefined) this.#forget(use);
      this.#set({ itemIndex, content, sent: { key } });
      return;
    }
    const known = this.find(itemIndex, hash);
    const isKnown = known?.key === key && known.doubt !== 'unclear';
    // A key that was used by then has not sent this.
    if (isKnown || others.some(({ sent }) => sent.doubt !== 'unclear')) return;
    this.#set({ itemIndex, content, sent: { key, doubt: outcome } });
  }

  /** Keeps what is known for a later try, where one may come. */
  keep(mayBeTriedAgain: boolean): void {
    Reflect.deleteProperty(this.#ofRuns, this.nodeRun);
    if (mayBeTriedAgain && Object.keys(this.#items).length > 0) this.#ofRuns[this.nodeRun] = this.#items;
  }

  #usesOf(key: string): Use[] {
    const uses = this.#uses.get(key) ?? [];
    this.#uses.set(key, uses);
    return uses;
  }

  /** The item that goes by a key in this try. */
  #holderOf(key: string, itemIndex: number): number {
    return this.#taken.get(key)?.itemIndex ?? itemIndex;
  }

  /**
   * Lets an item go by what went out with a key for an equal one, if this try has not looked at that yet, and no other
   * item goes by the key.
   */
  #lend(key: string, itemIndex: number, hash: string): void {
    if (this.#taken.has(key)) return;
    const use = this.#uses
      .get(key)
      ?.find((one) => one.content === contentOf(hash) && !this.#seen.has(one.itemIndex));
    if (use !== undefined) this.#lent.set(itemIndex, use);
  }

  #set(use: Use): void {
    const { itemIndex, content, sent } = use;
    const before = this.#items[itemIndex]?.[content];
    if (before !== undefined) {
      this.#forget({ itemIndex, content, sent: before });
      // What was lent is of that item from now on.
      const holder = this.#holderOf(before.key, itemIndex);
      const lent = this.#lent.get(holder);
      if (lent?.itemIndex === itemIndex && lent.sent.key === before.key && before.key !== sent.key) {
        this.#lent.delete(holder);
        this.#set({ itemIndex: holder, content, sent: before });
      }
    }
    this.#items[itemIndex] = { ...this.#items[itemIndex], [content]: sent };
    this.#usesOf(sent.key).push(use);
  }

  #forget({ itemIndex, content, sent }: Use): void {
    const others = { ...this.#items[itemIndex] };
    Reflect.deleteProperty(others, content);
    this.#items[itemIndex] = others;
    const uses = this.#usesOf(sent.key);
    this.#uses.set(
      sent.key,
      uses.filter((use) => use.itemIndex !== itemIndex || use.content !== content),
    );
  }
}

/** A part of a hash is enough within one execution. */
function contentOf(hash: string): string {
  return hash.slice(0, 12);
}
