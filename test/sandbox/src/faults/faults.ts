import { readAs } from '../read-as.js';
import type { Settings } from '../settings.js';
import { newFaultSchema, remaining, type Fault, type NewFault } from './fault.js';

export class Faults {
  readonly #set = new Map<string, Fault>();
  #last = 0;

  constructor(private readonly changed: () => void) {}

  /** Sets a fault for the next calls. @throws SandboxError 400 that names what is wrong with it. */
  next(input: NewFault): Fault {
    const wanted = readAs(newFaultSchema, input);
    this.#last += 1;
    const fault = { ...wanted, id: `fault-${this.#last}`, seen: 0, hits: 0 };
    this.#set.set(fault.id, fault);
    this.changed();
    return fault;
  }

  /**
   * The fault that hits a call, if one does: one with an address before one with a route, and that before one for any
   * call; of several such, the first that was set.
   *
   * @param identifiers the addresses and userIds that the call names
   */
  hit(operationId: string, identifiers: () => readonly string[]): Fault | undefined {
    const narrowestFirst = this.list().sort((a, b) => narrowness(b) - narrowness(a));
    for (const fault of narrowestFirst) {
      const { route = 'any', address, every = 1 } = fault;
      if (route !== 'any' && route !== operationId) continue;
      const isNamed = (one: string) => one.toLowerCase() === address?.toLowerCase();
      if (address !== undefined && !identifiers().some(isNamed)) continue;
      const isHit = (fault.seen + 1) % every === 0;
      const after = { ...fault, seen: fault.seen + 1, hits: fault.hits + (isHit ? 1 : 0) };
      if (remaining(after) === 0) this.#set.delete(fault.id);
      else this.#set.set(fault.id, after);
      this.changed();
      if (isHit) return after;
    }
    return undefined;
  }

  list(): Fault[] {
    return [...this.#set.values()];
  }

  get state(): Settings['faults'] {
    return { last: this.#last, set: this.list() };
  }

  set state({ last, set }: Settings['faults']) {
    this.#last = last;
    this.#set.clear();
    for (const fault of set) this.#set.set(fault.id, fault);
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

function narrowness({ address, route = 'any' }: Fault): number {
  return (address === undefined ? 0 : 2) + (route === 'any' ? 0 : 1);
}
