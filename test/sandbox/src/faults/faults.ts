import { readAs } from '../read-as.js';
import { effectOf, newFaultSchema } from './fault.js';
import type { Fault, NewFault } from './fault.js';
import { RandomSource } from './random.js';
import type { Settings } from '../settings.js';

export class Faults {
  readonly #set = new Map<string, { fault: Fault; random: RandomSource }>();
  #last = 0;

  constructor(private readonly changed: () => void) {}

  /** Sets a fault for the next calls. @throws SandboxError 400 that names what is wrong with it. */
  next(input: NewFault): Fault {
    const wanted = readAs(newFaultSchema, input);
    this.#last += 1;
    const seed = wanted.percent === undefined ? null : (wanted.seed ?? 1);
    const fault: Fault = {
      id: `fault-${this.#last}`,
      route: wanted.route ?? 'any',
      remaining: wanted.times ?? (wanted.percent === undefined ? 1 : null),
      percent: wanted.percent ?? null,
      seed,
      status: wanted.status ?? null,
      retryAfter: wanted.retryAfter === undefined ? null : String(wanted.retryAfter),
      latencyMs: wanted.latencyMs ?? 0,
      afterMs: wanted.afterMs ?? null,
      effect: effectOf(wanted),
      when: wanted.when ?? (wanted.afterMs === undefined ? 'before' : 'after'),
      hits: 0,
    };
    this.#set.set(fault.id, { fault, random: new RandomSource(seed ?? 1) });
    this.changed();
    return fault;
  }

  /** The fault that hits this call of that endpoint, if one does: the first that was set. */
  hit(operationId: string): Fault | undefined {
    for (const [id, { fault, random }] of this.#set) {
      if (fault.route !== 'any' && fault.route !== operationId) continue;
      if (fault.percent !== null && random.next() * 100 >= fault.percent) {
        this.changed();
        continue;
      }
      const remaining = fault.remaining === null ? null : fault.remaining - 1;
      const hit = { ...fault, remaining, hits: fault.hits + 1 };
      if (remaining === 0) this.#set.delete(id);
      else this.#set.set(id, { fault: hit, random });
      this.changed();
      return hit;
    }
    return undefined;
  }

  list(): Fault[] {
    return [...this.#set.values()].map(({ fault }) => fault);
  }

  /** All of them, and where their random choices stand. */
  get state(): Settings['faults'] {
    return {
      last: this.#last,
      set: [...this.#set.values()].map(({ fault, random }) => ({ fault, random: random.state })),
    };
  }

  set state({ last, set }: Settings['faults']) {
    this.#last = last;
    this.#set.clear();
    for (const { fault, random } of set) this.#set.set(fault.id, { fault, random: new RandomSource(random) });
  }

  remove(id: string): boolean {
    const removed = this.#set.delete(id);
    if (removed) this.changed();
    return removed;
  }

  clear(): void {
    this.#set.clear();
    this.changed();
  }
}
