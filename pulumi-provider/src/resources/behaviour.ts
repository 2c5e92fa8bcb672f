import type * as z from 'zod/mini';
import type { Problem } from './errors.js';
import type { Raw } from './raw.js';
import type { Run } from './run.js';

/** What a check found, and the inputs where it changes them. */
export interface Checked {
  readonly problems: readonly Problem[];
  /** Inputs as they are kept; those that were given unless set. */
  readonly inputs?: Raw;
}

/** Whether there is anything to do. */
export interface Difference {
  readonly changes: boolean;
  /** Inputs whose change takes a new resource; the old one is deleted when everything else is done. */
  readonly replaces?: readonly string[];
}

/** A resource's identity and state. */
export interface Made {
  readonly id: string;
  readonly outs: Raw;
}

/** A thing that comes into state, and the inputs that declare it where they are not the state itself. */
export interface Imported extends Made {
  readonly inputs?: Raw;
}

/**
 * What one type of resource can do, free of any host. A host calls `check` for every declared resource of a run, then
 * `diff` for those in state, then `create` or `update`; `delete` comes last. A behaviour tells its plan in `check` for
 * what is new, and in `diff` for what changes.
 */
export interface Behaviour {
  /** Schema of the inputs as they are kept. */
  readonly schema: z.ZodMiniObject;
  /** Schema of outputs that are no inputs and that programs may use. */
  readonly outputs?: z.ZodMiniObject;
  /** Inputs that the check adds: no program gives them. */
  readonly computed?: readonly string[];
  /** Inputs and outputs that state keeps as secrets, whatever the program says. */
  readonly secrets?: readonly string[];
  /** @param olds inputs of the last run; empty for a new resource. */
  check(olds: Raw, news: Raw, run: Run): Promise<Checked>;
  /** @throws ResourceError where the change must not be made. */
  diff(id: string, outs: Raw, news: Raw, run: Run): Promise<Difference>;
  create(inputs: Raw, run: Run): Promise<Made>;
  /** State as the service has it; `undefined` when the thing is gone. */
  read(id: string, outs: Raw, run: Run): Promise<Made | undefined>;
  /**
   * State of a thing that no state knows yet, by what a person calls it; `undefined` where there is none. What cannot be
   * found by a name has no such method.
   */
  import?(name: string, run: Run): Promise<Imported | undefined>;
  update(id: string, outs: Raw, news: Raw, run: Run): Promise<{ readonly outs: Raw }>;
  delete(id: string, outs: Raw, run: Run): Promise<void>;
}

/** The inputs that a state came from. */
export function inputsOf({ schema }: Behaviour, outs: Raw): Raw {
  return Object.fromEntries(Object.entries(outs).filter(([name]) => name in schema.shape));
}
