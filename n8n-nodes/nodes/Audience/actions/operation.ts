import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { KeyRing } from '../helpers/idempotency.js';
import type { Parameters } from '../helpers/parameters.js';
import type { Session } from '../transport/session.js';

/** One input item on its way through an operation. */
export interface Item {
  readonly parameters: Parameters;
  readonly session: Session;
  /** Makes the idempotency keys of this run. */
  readonly keys: KeyRing;
  /** Ends the calls when the execution is cancelled. */
  readonly signal: AbortSignal | undefined;
}

/** A call that has been checked and is ready to go. */
export type Call = () => Promise<IDataObject>;

/** An operation that does the same for each input item: one output item for one input item. */
export interface ItemOperation {
  readonly kind: 'item';
  /** Fields of the operation. */
  readonly description: INodeProperties[];
  /**
   * Reads and checks everything for one item. Nothing is written before the call it answers with is made.
   *
   * @throws InputProblem, ValidationError for input that cannot be sent.
   */
  prepare(item: Item): Promise<Call> | Call;
}

/** An operation that reads a list once, whatever the number of input items: one output item per entry. */
export interface ListOperation {
  readonly kind: 'list';
  readonly description: INodeProperties[];
  /** @param limit entries at most; `undefined` for all. */
  list(item: Item, limit: number | undefined): Promise<IDataObject[]>;
}

/** What the node can do with one resource, by the value of the Operation field. */
export type Operation = ItemOperation | ListOperation;
