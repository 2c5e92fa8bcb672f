import type { Declarant } from '../declarations.js';
import type { SharedClaims } from '../host.js';
import type { Raw } from '../raw.js';
import { retains } from './inputs.js';
import type { Outputs } from './state.js';

/** What is known, in one run, of a list in state: all copies of it have one salt. */
interface List {
  /** The latest copy that the run has found. */
  latest?: Outputs;
  /** Whether the program declares it with `onRemove: 'retain'`: nobody is taken. */
  isRetained?: boolean;
  /** As the program declares it. */
  maxRemovals?: number | undefined;
  /** How many this run takes, or has planned to, of all copies together. */
  taken?: number;
  /** Who goes on with it in this run. */
  successor?: Declarant;
  /** Whether what replaces it is still to be made, so that nobody knows yet whom it declares. */
  isReplacedLater?: boolean;
}

/** State that a replacement goes on from, with the inputs that were planned. */
interface PlannedReplacement {
  readonly id: string;
  readonly outs: Raw;
  readonly planned: Raw;
  /** Whether the plan said that somebody leaves who has something to lose. */
  readonly takes: boolean;
}

/** What the processes of a run tell each other of a list. */
const FACTS = {
  declared: (label: string) => `list label ${label}`,
  deleted: (salt: string, generation: number) => `list deleted ${salt} ${generation}`,
  removalAllowed: (salt: string, generation: number) => `list released ${salt} ${generation}`,
};

/** How many later copies of a list, deleted by another process, a copy looks out for. */
const LATER_COPIES = 50;

/**
 * What `Contacts` resources hand from one step of a run to the next, so that a copy of a list that the engine deletes
 * knows why. Of these the first that holds decides:
 *
 * | what the run knows of the list                  | from                 | what the deletion takes                    |
 * | ----------------------------------------------- | -------------------- | ------------------------------------------ |
 * | it, or its latest copy, is retained             | diff, state          | nothing                                    |
 * | it was written to another service               | state                | nothing: an error                          |
 * | another process goes on with it                 | {@link SharedClaims} | nothing, until that process allows it      |
 * | a list of its name is declared, which is not it | check                | nothing: a replacement that nobody planned |
 * | what replaces it is still to be made            | diff, until create   | nothing                                    |
 * | somebody goes on with it                        | diff                 | those who left it at its replacement       |
 * | nothing                                         |                      | all of it, up to `maxRemovals`             |
 *
 * Whoever is declared in the run is never taken.
 */
export class ContactsRun {
  /** Who declares the records, by {@link sourceKey}: a name is known to the check only. */
  readonly #declarants = new Map<string, Declarant>();
  readonly #lists = new Map<string, List>();
  /** What the lists are called that the program declares, and were called in state. */
  readonly #labels = new Set<string>();
  /** State that the resource of a declarant goes on from, by the declarant's key. */
  readonly plannedReplacements = new Map<string, PlannedReplacement>();

  /** @param others what the other processes of the run know: each provider of a program is one. */
  constructor(private readonly others?: SharedClaims) {}

  /** @returns whether these records were not declared before in this run. */
  declare(inputs: Raw, declarant: Declarant): boolean {
    const isFirst = !this.#declarants.has(sourceKey(inputs));
    this.#declarants.set(sourceKey(inputs), declarant);
    this.#addLabel(declarant.label);
    return isFirst;
  }

  /** Notes that a list of state is declared, under whatever name. */
  noteSuccessor({ label, salt }: Outputs, successor: Declarant): void {
    Object.assign(this.list({ salt }), { successor, isReplacedLater: false });
    this.#addLabel(label);
  }

  /** Notes that those who leave a copy of a list may be taken: the plan has said so, and whoever stays is written. */
  allowRemoval({ salt, generation }: Outputs): void {
    this.others?.add([FACTS.removalAllowed(salt, generation)]);
  }

  #addLabel(label: string): void {
    this.#labels.add(label);
    this.others?.add([FACTS.declared(label)]);
  }

  /** Notes that a copy is deleted, so that the other processes know. */
  noteDeleted({ salt, generation }: Outputs): void {
    this.others?.add([FACTS.deleted(salt, generation)]);
  }

  /** Whether the list of a copy is another process's business, which has not allowed the removal of those who left it. */
  isOfAnotherProcess(copy: Outputs): boolean {
    const { label, salt, generation } = copy;
    if (this.others === undefined || this.list(copy).successor !== undefined) return false;
    const later = Array.from({ length: LATER_COPIES }, (_, index) =>
      FACTS.deleted(salt, generation + index + 1),
    );
    return (
      this.others.has([FACTS.declared(label), ...later]) &&
      !this.others.has([FACTS.removalAllowed(salt, generation)])
    );
  }

  declarantOf(inputs: Raw): Declarant | undefined {
    return this.#declarants.get(sourceKey(inputs));
  }

  /** Takes out the state that these records go on from. */
  takePlannedReplacement(inputs: Raw): PlannedReplacement | undefined {
    const key = this.declarantOf(inputs)?.key ?? '';
    const planned = this.plannedReplacements.get(key);
    this.plannedReplacements.delete(key);
    return planned;
  }

  /** What is known of the list that a state is about. */
  list({ salt }: Pick<Outputs, 'salt'>): List {
    const known = this.#lists.get(salt) ?? {};
    this.#lists.set(salt, known);
    return known;
  }

  /** Notes a copy of a list in state. */
  noteCopy(copy: Outputs): void {
    const list = this.list(copy);
    if (list.latest === undefined || list.latest.generation <= copy.generation) list.latest = copy;
  }

  /** The latest copy of a list that the run has found; this one where it has found none. */
  latestOf(copy: Outputs): Outputs {
    return this.list(copy).latest ?? copy;
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
  isUnplannedReplacement(copy: Outputs): boolean {
    return this.#labels.has(copy.label) && this.list(copy).successor === undefined;
  }
}

/** What tells one declaration from another: its records, and its settings, as two lists may be empty. */
function sourceKey(inputs: Raw): string {
  return JSON.stringify(
    ['file', 'fingerprint', 'onRemove', 'maxRemovals', 'allowEmpty'].map((name) => inputs[name] ?? null),
  );
}
