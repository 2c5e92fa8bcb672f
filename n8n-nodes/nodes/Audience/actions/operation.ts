import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { KeyRing } from '../once-only/key-ring.js';
import type { Parameters } from '../helpers/parameters.js';
import type { Session } from '../service/session.js';
import type { Identifiers } from '../run/item-contacts.js';
import { optionsField } from './run-options.js';

/** One input item on its way through an operation. */
export interface Item {
  readonly parameters: Parameters;
  readonly session: Session;
  /** Makes the idempotency keys of this run. */
  readonly keys: KeyRing;
  /** Ends the calls when the execution is cancelled. */
  readonly signal: AbortSignal | undefined;
  /**
   * To be called, before anything is written, with the contact whom the item changes, and further names that it gets:
   * the items of one contact are carried out in the order of the input.
   *
   * @throws InputProblem where an earlier item gives one of the two identifiers with another one.
   */
  readonly noteContact: (contact: Identifiers, others?: Identifiers) => void;
  /** To be called where an item sets no field of the contact that it has noted. */
  readonly noteNothingSet: () => void;
  /** To be called with what the output does not show and the person should know, as the end of a sentence. */
  readonly note: (what: string) => void;
  /** As `note`; what is told also where the run fails. */
  readonly warn: (what: string) => void;
  /** To be called where this was carried out before, or may have been. */
  readonly noteSentBefore: (isCertain: boolean) => void;
  /** Names of the contact that it has noted, also by other items. */
  readonly contactNames: () => readonly string[];
  /** Its User ID, where another item that was carried out gives it. */
  readonly contactUserId: () => string | undefined;
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
  /** Options of its own, beside those that every operation has. */
  readonly options?: readonly INodeProperties[];
  /** Fields of an output item with the default settings; the editor shows them before the node has run. */
  readonly output: Readonly<Record<string, OutputType>>;
  /** Whether it puts out a list for every input item. */
  readonly lists?: boolean;
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

/** The fields of an operation, with its options. */
export function allFields({ fields, options = [] }: Operation): INodeProperties[] {
  return [...fields, optionsField(options)];
}

/** The fields of all resources, each shown where it belongs. */
export function describeResources(resources: readonly Resource[]): INodeProperties[] {
  return [
    {
      displayName: 'Resource',
      name: 'resource',
      type: 'options',
      noDataExpression: true,
      options: resources.map(({ name, value }) => ({ name, value })),
      default: 'email',
    },
    ...resources.flatMap((resource) => [
      operationField(resource),
      ...resource.operations.flatMap((operation) => fieldsOf(resource, operation)),
    ]),
  ];
}

function operationField(resource: Resource): INodeProperties {
  const initial = resource.default.value;
  return {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: [resource.value] } },
    options: resource.operations.map(({ name, value, action, description }) => ({
      name,
      value,
      action,
      description,
    })),
    default: initial,
  };
}

function fieldsOf(resource: Resource, operation: Operation): INodeProperties[] {
  return allFields(operation).map((field) => ({
    ...field,
    displayOptions: {
      show: {
        resource: [resource.value],
        operation: [operation.value],
        ...field.displayOptions?.show,
      },
      ...(field.displayOptions?.hide === undefined ? {} : { hide: field.displayOptions.hide }),
    },
  }));
}
