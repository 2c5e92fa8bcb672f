import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { OnceOnly } from '../once-only/once-only.js';
import type { Parameters } from '../parameters/parameters.js';
import type { Session } from '../service/session.js';
import type { Identifiers } from './contacts.js';

/** One input item on its way through an operation. */
export interface Item {
  readonly parameters: Parameters;
  readonly session: Session;
  readonly once: OnceOnly;
  /** Ends the calls when the execution is cancelled. */
  readonly signal: AbortSignal | undefined;
  /**
   * To be called, before anything is written, with the contact that the item changes: the items of one contact are
   * carried out in the order of the input.
   *
   * @throws InputProblem where an earlier item gives one of the two identifiers with another one.
   */
  readonly noteContact: (contact: Identifiers) => void;
  /** To be called with the key of the item: equal ones go out one after the other. */
  readonly noteKey: (key: string) => void;
  /** To be called with what the output panel should say, as the end of a sentence. */
  readonly note: (what: string) => void;
}

/** A call that has been checked and is ready to go: its output items are those of the item. */
export type Call = () => Promise<readonly IDataObject[]>;

/** Type of a field of an output item, as n8n's previews of the output know it. */
export type OutputType = 'string' | 'number' | 'boolean' | 'array';

/** What the node can do with one resource: its texts, its fields, and how to do it. */
export interface Operation {
  /** Value of the Operation field. */
  readonly value: string;
  readonly name: string;
  /** What the list of actions in the editor calls it. */
  readonly action: string;
  readonly description: string;
  readonly fields: readonly INodeProperties[];
  /** What it does to the service: a read has no options. */
  readonly kind: 'reads' | 'lists' | 'writes' | 'sends';
  /** Fields of an output item with the default settings; the editor shows them before the node has run. */
  readonly output: Readonly<Record<string, OutputType>>;
  /**
   * Reads and checks everything for one item. Nothing is written before the call it resolves with is made.
   *
   * @throws InputProblem, ValidationError for input that cannot be sent.
   */
  prepare(item: Item): Promise<Call> | Call;
}

/** A thing of the service, with what can be done with it. */
export interface Resource {
  /** Value of the Resource field. */
  readonly value: string;
  readonly name: string;
  /** In the order of the list. */
  readonly operations: readonly [Operation, ...Operation[]];
  /** The operation that a new node begins with. */
  readonly default: Operation;
}
