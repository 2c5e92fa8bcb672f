import type { ContactSchema } from 'audience-core';
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { SendOnce } from '../helpers/idempotency.js';
import type { Parameters } from '../helpers/parameters.js';
import type { Session } from '../transport/session.js';

/** Names of custom properties and their types. */
export type { ContactSchema };

/** One input item on its way through an operation. */
export interface Item {
  readonly parameters: Parameters;
  readonly session: Session;
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

/** How often the same email or event may go out, as set in the options. */
export interface SendingOptions {
  readonly sendOnce: SendOnce;
  /** Key of the person's own. */
  readonly idempotencyKey: string | undefined;
}
