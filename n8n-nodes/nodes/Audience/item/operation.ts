import type { CallOptions } from 'audience-core';
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { Parameters } from '../form/parameters.js';
import type { Note } from '../messages/text.js';
import type { Session } from '../service/session.js';

export interface Item {
  readonly parameters: Parameters;
  readonly session: Session;
  /** To be called with what the output panel should say. */
  readonly note: (note: Note) => void;
}

/** A contact by its identifiers; text that is empty or missing names nobody. */
export interface Identifiers {
  readonly email?: string | undefined;
  readonly userId?: string | null | undefined;
}

export interface Sending {
  readonly recipient: Identifiers;
  readonly designOrEvent: string;
  readonly content: unknown;
}

/** Makes a call; its output items are those of the input item. The options have the signal of the execution and the key. */
export type Call = (options: CallOptions) => Promise<readonly IDataObject[]>;

export interface Prepared {
  readonly call: Call;
  /** The contact that the call sets fields of: items of one contact are carried out in the order of the input. */
  readonly contact?: Identifiers;
  readonly sending?: Sending;
}

/** What the node can do with one resource: its texts, its fields, and how to do it. */
export interface Operation {
  readonly value: string;
  readonly name: string;
  readonly action: string;
  readonly description: string;
  readonly fields: readonly INodeProperties[];
  /** What it does to the service: a read has no options. */
  readonly kind: 'reads' | 'lists' | 'writes' | 'sends';
  /**
   * Reads and checks everything for one item. It writes nothing: that is the call's part.
   *
   * @throws InputProblem, ValidationError for input that cannot be sent.
   */
  prepare(item: Item): Promise<Prepared> | Prepared;
}

export interface Resource {
  readonly value: string;
  readonly name: string;
  readonly operations: readonly [Operation, ...Operation[]];
  readonly default: Operation;
}
