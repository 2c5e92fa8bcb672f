import { inspect } from 'node:util';
import * as z from 'zod/mini';
import type { Account } from '../account/account.js';
import { copyOf } from '../copy.js';
import type { Problem } from '../messages.js';
import { readAs } from '../read-as.js';
import { realTime } from '../real-time.js';
import { SandboxError } from '../sandbox-error.js';
import { differences, type Difference } from './differences.js';
import type { Kind } from './kinds.js';

/** How long to wait unless told, in milliseconds: shorter than the time that test runners give a test. */
const DEFAULT_WAIT_MS = 4_000;

/** Longest wait, in milliseconds. */
const MAX_WAIT_MS = 60_000;

const patienceSchema = z.object({
  timeoutMs: z._default(z.int().check(z.minimum(0), z.maximum(MAX_WAIT_MS)), DEFAULT_WAIT_MS),
});

/** Something that is stored, and what a filter may say of it. */
interface Stored {
  readonly id: string;
}
interface Filtered {
  readonly after?: string | undefined;
}

/** Reads a filter. @throws SandboxError 400 that names the field which is wrong */
export function readFilter<Filter>(
  { noun, filter }: Pick<Kind<never, unknown, Filter>, 'noun' | 'filter'>,
  given: object,
): Filter {
  // A test that lost its value would be content with anything.
  const lost = Object.entries(given).find(([, value]) => value === undefined);
  if (lost !== undefined) throw new SandboxError({ code: 'filter_value_lost', name: lost[0] });
  return readAs(filter, given, `a filter of ${noun}s`);
}

/** Reads a filter with how long to wait. @throws SandboxError 400 that names the field which is wrong */
export function readWait<Filter>(
  kind: Pick<Kind<never, unknown, Filter>, 'noun' | 'filter'>,
  given: object,
): { readonly filter: Filter; readonly timeoutMs: number } {
  const { timeoutMs: _timeoutMs, ...filter }: { readonly timeoutMs?: unknown } = { ...given };
  return { filter: readFilter(kind, filter), ...readAs(patienceSchema, given) };
}

/** Finds emails, events and contacts among all that there are, or waits for one. */
export class Finder {
  constructor(
    private readonly account: Account,
    private readonly closing: AbortSignal,
  ) {}

  /** All that fit, the oldest first; copies. @throws SandboxError 400 for a wrong filter */
  find<One extends Stored, Item, Filter extends Filtered>(
    kind: Kind<One, Item, Filter>,
    given: object,
  ): Item[] {
    const filter = readFilter(kind, given);
    const found = this.#among(kind, filter).filter((one) => fits(kind, one, filter));
    return copyOf(
      z.array(kind.item),
      found.map((one) => kind.view(this.account, one)),
    );
  }

  /** The first that fits, as soon as it is there. @throws SandboxError 404 when the time is over, 400 for a wrong filter */
  async wait<One extends Stored, Item, Filter extends Filtered>(
    kind: Kind<One, Item, Filter>,
    given: object,
  ): Promise<Item> {
    const { filter, timeoutMs } = readWait(kind, given);
    const found =
      this.#among(kind, filter).find((one) => fits(kind, one, filter)) ??
      (await this.#next(kind, filter, timeoutMs));
    if (found === undefined) throw new SandboxError(this.#notFound(kind, filter, timeoutMs), 404);
    return copyOf(kind.item, kind.view(this.account, found));
  }

  /** What a filter looks at, the oldest first. @throws SandboxError 400 for a filter that names what does not exist */
  #among<One extends Stored, Filter extends Filtered>(
    kind: Kind<One, unknown, Filter>,
    filter: Filter,
  ): readonly One[] {
    kind.check?.(this.account, filter);
    const all = [...kind.collection(this.account).values()];
    const { after } = filter;
    if (after === undefined) return all;
    const index = all.findIndex(({ id }) => id === after);
    if (index === -1) throw new SandboxError({ code: 'nothing_to_wait_after', noun: kind.noun, id: after });
    return all.slice(index + 1);
  }

  /** The next one that fits, of those that are new or change from now on; `undefined` when the time is over. */
  #next<One extends Stored, Filter extends Filtered>(
    kind: Kind<One, unknown, Filter>,
    filter: Filter,
    timeoutMs: number,
  ): Promise<One | undefined> {
    if (this.closing.aborted || timeoutMs === 0) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const end = (found?: One) => {
        stopWatching();
        realTime.clearTimeout(timer);
        this.closing.removeEventListener('abort', giveUp);
        resolve(found);
      };
      const giveUp = () => end();
      const stopWatching = kind.collection(this.account).watch((one, before) => {
        // One that changes was there before, and so it does not come after another one.
        const isNext = one !== undefined && (filter.after === undefined || before === undefined);
        if (isNext && fits(kind, one, filter)) end(one);
      });
      const timer = realTime.setTimeout(giveUp, timeoutMs);
      this.closing.addEventListener('abort', giveUp);
    });
  }

  #notFound<One extends Stored, Filter extends Filtered>(
    kind: Kind<One, unknown, Filter>,
    filter: Filter,
    timeoutMs: number,
  ): Problem {
    const about = { noun: kind.noun, filter: inspect(filter, { breakLength: Infinity }), timeoutMs };
    if (this.closing.aborted) return { code: 'closed_while_waiting', ...about };
    const { after } = filter;
    const all = this.#among(kind, filter);
    let nearest: { readonly id: string; readonly found: readonly Difference[] } | undefined;
    for (const one of all) {
      const found = differences(kind, one, filter);
      // Of those that differ as little, the newest.
      if (nearest === undefined || found.length <= nearest.found.length) nearest = { id: one.id, found };
    }
    if (nearest === undefined)
      return after === undefined
        ? { code: 'nothing_there', ...about }
        : { code: 'nothing_after', after, ...about };
    const fields = nearest.found.map(
      ({ name, value, wanted }) =>
        `\n  ${name}: ${value === undefined ? 'not set' : inspect(value)}, not ${inspect(wanted)}`,
    );
    return { code: 'nothing_fits', ...about, count: all.length, id: nearest.id, fields: fields.join('') };
  }
}

function fits<One extends Stored, Filter extends Filtered>(
  kind: Kind<One, unknown, Filter>,
  one: One,
  filter: Filter,
): boolean {
  return differences(kind, one, filter).length === 0;
}
