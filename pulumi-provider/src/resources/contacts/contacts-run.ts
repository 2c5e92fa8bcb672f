import type { Declarant } from '../declarations.js';
import type { Raw } from '../host.js';
import { retains } from './inputs.js';
import type { Outputs } from './state.js';

/** What is known, in one run, of a list in state: all copies of it have one salt. */
interface List {
  /** The latest copy that the run has found. */
  latest?: Outputs;
  /** Whether the program declares it with `onRemove: 'retain'`: nobody is taken. */
  isRetained?: boolean;
  /** Who goes on with it in this run. */
  successor?: Declarant;
  /** Whether what replaces it is still to be made, so that nobody knows yet whom it declares. */
  isReplacedLater?: boolean;
}

/** State that a replacement goes on from, with the inputs that were planned. */
interface Continued {
  readonly id: string;
  readonly outs: Raw;
  readonly planned: Raw;
}

/** What `Contacts` resources hand from one step of a run to the next. */
export class ContactsRun {
  /** Who declares the records, by {@link sourceKey}: a name is known to the check only. */
  readonly #declarants = new Map<string, Declarant>();
  readonly #lists = new Map<string, List>();
  /** State that the resource of a declarant goes on from, by the declarant's key. */
  readonly continued = new Map<string, Continued>();

  /** @returns whether these records were not declared before in this run. */
  declare(inputs: Raw, declarant: Declarant): boolean {
    const isFirst = !this.#declarants.has(sourceKey(inputs));
    this.#declarants.set(sourceKey(inputs), declarant);
    return isFirst;
  }

  declarantOf(inputs: Raw): Declarant | undefined {
    return this.#declarants.get(sourceKey(inputs));
  }

  /** Takes out the state that these records go on from. */
  takeContinued(inputs: Raw): Continued | undefined {
    const key = this.declarantOf(inputs)?.key ?? '';
    const continued = this.continued.get(key);
    this.continued.delete(key);
    return continued;
  }

  /** What is known of the list that a state is about. */
  list({ salt }: Pick<Outputs, 'salt'>): List {
    const known = this.#lists.get(salt) ?? {};
    this.#lists.set(salt, known);
    return known;
  }

  /** Notes a copy of a list in state, and says which is the latest that the run has found. */
  latestOf(copy: Outputs): Outputs {
    const list = this.list(copy);
    if (list.latest === undefined || (list.latest.generation ?? 0) <= (copy.generation ?? 0)) {
      list.latest = copy;
    }
    return list.latest;
  }

  /** Whether nobody of a list is taken: as the program says, or its latest copy. */
  isRetained(copy: Outputs): boolean {
    const { isRetained, latest } = this.list(copy);
    return (
      isRetained === true || retains(copy) || (latest !== undefined && latest !== copy && retains(latest))
    );
  }

  /**
   * Whether a list is deleted although it is declared, by a replacement of which nobody asked the provider, in this run or
   * in one before.
   */
  isReplacedUnasked(copy: Outputs): boolean {
    const isDeclared = [...this.#declarants.values()].some(({ label }) => label === copy.label);
    return isDeclared && this.list(copy).successor === undefined;
  }
}

/** What tells one declaration from another: its records, and its settings, as two lists may be empty. */
function sourceKey(inputs: Raw): string {
  return JSON.stringify(
    ['file', 'fingerprint', 'onRemove', 'maxRemovals', 'allowEmpty'].map((name) => inputs[name] ?? null),
  );
}
