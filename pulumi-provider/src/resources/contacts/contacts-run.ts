import type { Declarant } from '../declarations.js';
import type { Raw } from '../host.js';
import { retains } from './inputs.js';
import type { Outputs } from './state.js';

/** What is known, in one run, of the records that a program declares. */
interface Declaration {
  /** Who declares them: a name is known to the check only. */
  declarant?: Declarant;
  /** State that a replacement goes on from. */
  continued?: { readonly id: string; readonly outs: Raw } | undefined;
}

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

/** What `Contacts` resources hand from one step of a run to the next. */
export class ContactsRun {
  readonly #declarations = new Map<string, Declaration>();
  readonly #lists = new Map<string, List>();

  /** What is known of these records. */
  declaration(inputs: Raw): Declaration {
    return entry(this.#declarations, sourceKey(inputs), {});
  }

  /** What is known of the list that a state is about. */
  list({ salt }: Pick<Outputs, 'salt'>): List {
    return entry(this.#lists, salt, {});
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
}

/** What tells one declaration from another: its records, and its settings, as two lists may be empty. */
function sourceKey(inputs: Raw): string {
  return JSON.stringify(
    ['file', 'fingerprint', 'onRemove', 'maxRemovals', 'allowEmpty'].map((name) => inputs[name] ?? null),
  );
}

function entry<Value>(map: Map<string, Value>, key: string, made: Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  map.set(key, made);
  return made;
}
