import type * as z from 'zod/mini';
import type { Problem } from '../messages/index.js';
import type { Raw } from './raw.js';
import type { Run } from './run.js';

export interface Checked {
  readonly problems: readonly Problem[];
  readonly inputs: Raw;
}

export interface Difference {
  readonly changes: boolean;
  /** Inputs whose change replaces the resource. */
  readonly replaces?: readonly string[];
}

export interface Made {
  readonly id: string;
  readonly outs: Raw;
}

/** One type of resource. It shows its plan in `check` for a new resource, and in `diff` for a changed one. */
export interface Behaviour {
  /** Schema of the inputs in state. */
  readonly schema: z.ZodMiniObject;
  /** Schema of further outputs for programs. */
  readonly outputs?: z.ZodMiniObject;
  /** Whether a refresh leaves the inputs as they are. */
  readonly keepsInputs?: boolean;
  /** Inputs and outputs that are always secrets. */
  readonly secrets?: readonly string[];
  /** @param olds inputs of the last run; empty for a new resource. */
  check(olds: Raw, news: Raw, run: Run): Promise<Checked>;
  /** @throws ResourceError where the change must not be made. */
  diff(id: string, outs: Raw, news: Raw, run: Run): Promise<Difference>;
  create(inputs: Raw, run: Run): Promise<Made>;
  /** State as the service has it; `undefined` when the resource leaves state. */
  read(id: string, outs: Raw, run: Run): Promise<Made | undefined>;
  /** Finds what `pulumi import` names; `undefined` where it does not exist. */
  import?(name: string, run: Run): Promise<Made | undefined>;
  update(id: string, outs: Raw, news: Raw, run: Run): Promise<{ readonly outs: Raw }>;
  delete(id: string, outs: Raw, run: Run): Promise<void>;
}

export function inputsOf({ schema }: Behaviour, outs: Raw): Raw {
  return Object.fromEntries(Object.entries(outs).filter(([name]) => name in schema.shape));
}
