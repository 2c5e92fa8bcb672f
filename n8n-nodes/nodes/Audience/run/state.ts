import type { IExecuteFunctions } from 'n8n-workflow';
import type { Form } from '../form/labels.js';
import type { NodeFailure } from '../node-error.js';
import type { OnceOnly } from '../once-only/once-only.js';
import type { Session } from '../service/session.js';
import type { Operation } from '../item/operation.js';

export interface Run {
  readonly context: IExecuteFunctions;
  readonly session: Session;
  readonly operation: Operation;
  readonly form: Form;
  readonly once: OnceOnly;
  readonly concurrency: number;
}

export interface RunState {
  readonly run: Run;
  readonly count: number;
  readonly done: ReadonlyMap<number, unknown>;
  readonly failed: ReadonlyMap<number, NodeFailure>;
  readonly before: ReadonlySet<number>;
  /** Items that share the end of an earlier one, which has the same key. */
  readonly twins: ReadonlySet<number>;
  /** What the operations noted, as ends of sentences, with the items. */
  readonly notes: ReadonlyMap<string, ReadonlySet<number>>;
}
