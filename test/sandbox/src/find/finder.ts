import { EventEmitter, once } from 'node:events';
import { inspect } from 'node:util';
import * as z from 'zod/mini';
import type { Account } from '../account/account.js';
import { copyOf } from '../copy.js';
import type { Problem } from '../messages.js';
import { readAs } from '../read-as.js';
import { SandboxError } from '../sandbox-error.js';
import { differences } from './differences.js';
import type { Kind } from './kinds.js';

/** How long to wait unless told, in milliseconds: shorter than the time that test runners give a test. */
const DEFAULT_WAIT_MS = 4_000;

/** Longest wait, in milliseconds. */
const MAX_WAIT_MS = 60_000;

const patienceSchema = z.object({
  timeoutMs: z._default(z.int().check(z.minimum(0), z.maximum(MAX_WAIT_MS)), DEFAULT_WAIT_MS),
});

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
  readonly #changes = new EventEmitter().setMaxListeners(0);

  constructor(
    private readonly account: Account,
    private readonly closing: AbortSignal,
  ) {}

  /** To be called when something has changed. */
  look(): void {
    this.#changes.emit('change');
  }

  /** All that fit, the oldest first; copies. @throws SandboxError 400 for a wrong filter */
  find<Stored extends { readonly id: string }, Item, Filter extends object>(
    kind: Kind<Stored, Item, Filter>,
    given: object,
  ): Item[] {
    const filter = readFilter(kind, given);
    const found = [...kind.all(this.account)].filter((one) => differences(kind, one, filter).length === 0);
    return copyOf(
      z.array(kind.item),
      found.map((one) => kind.view(this.account, one)),
    );
  }

  /** The first that fits, as soon as it is there. @throws SandboxError 404 when the time is over, 400 for a wrong filter */
  async wait<Stored extends { readonly id: string }, Item, Filter extends object>(
    kind: Kind<Stored, Item, Filter>,
    given: object,
  ): Promise<Item> {
    const { filter, timeoutMs } = readWait(kind, given);
    const end = AbortSignal.any([this.closing, AbortSignal.timeout(timeoutMs)]);
    for (;;) {
      for (const one of kind.all(this.account))
        if (differences(kind, one, filter).length === 0)
          return copyOf(kind.item, kind.view(this.account, one));
      if (end.aborted) throw new SandboxError(this.#notFound(kind, filter, timeoutMs), 404);
      await once(this.#changes, 'change', { signal: end }).catch(() => undefined);
    }
  }

  #notFound<Stored extends { readonly id: string }, Item, Filter extends object>(
    kind: Kind<Stored, Item, Filter>,
    filter: Filter,
    timeoutMs: number,
  ): Problem {
    const about = { noun: kind.noun, filter: inspect(filter, { breakLength: Infinity }) };
    if (this.closing.aborted) return { code: 'closed_while_waiting', ...about };
    const all = [...kind.all(this.account)].map((one) => ({
      id: one.id,
      found: differences(kind, one, filter),
    }));
    // Of those that differ as little, the newest.
    const nearest = all.reverse().sort((a, b) => a.found.length - b.found.length)[0];
    if (nearest === undefined) return { code: 'nothing_there', ...about, timeoutMs };
    const fields = nearest.found.map(
      ({ name, value, wanted }) =>
        `\n  ${name}: ${value === undefined ? 'not set' : inspect(value)}, not ${inspect(wanted)}`,
    );
    return {
      code: 'nothing_fits',
      ...about,
      timeoutMs,
      count: all.length,
      id: nearest.id,
      fields: fields.join(''),
    };
  }
}
