import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

/** Shows a field for one operation of one resource. */
export function showFor(resource: string, operation: string): IDisplayOptions {
  return { show: { resource: [resource], operation: [operation] } };
}

/** Fields of a Get Many operation. */
export function listFields(resource: string): INodeProperties[] {
  const displayOptions = showFor(resource, 'getAll');
  return [
    {
      displayName: 'Return All',
      name: 'returnAll',
      type: 'boolean',
      default: false,
      description: 'Whether to return all results or only up to a given limit',
      displayOptions,
    },
    {
      displayName: 'Limit',
      name: 'limit',
      type: 'number',
      typeOptions: { minValue: 1 },
      default: 50,
      description: 'Max number of results to return',
      displayOptions: { show: { ...displayOptions.show, returnAll: [false] } },
    },
  ];
}

/** A multiple choice of subscription groups by name. */
export function groupChoice(name: string, displayName: string, description: string): INodeProperties {
  return {
    displayName,
    name,
    type: 'multiOptions',
    typeOptions: { loadOptionsMethod: 'getSubscriptionGroups' },
    default: [],
    description: `${description}. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.`,
  };
}

const LIMITS: INodeProperties[] = [
  {
    displayName: 'Items at Once',
    name: 'concurrency',
    type: 'number',
    typeOptions: { minValue: 1, maxValue: 500 },
    default: 100,
    description: 'Max number of items that are under way at the same time',
  },
  {
    displayName: 'On Failed Item',
    name: 'onFailedItem',
    type: 'options',
    options: [
      {
        name: 'Stop at Once',
        value: 'stop',
        description: 'Check all items first, then send; after a failed item, no further one is begun',
      },
      {
        name: 'Try the Others First',
        value: 'finish',
        description: 'Carry out every item that can be, and fail afterwards',
      },
    ],
    default: 'stop',
    description:
      "What happens to the other items when one fails and the node's 'On Error' setting is 'Stop Workflow'",
  },
  {
    displayName: 'Requests per Second',
    name: 'requestsPerSecond',
    type: 'number',
    typeOptions: { minValue: 0 },
    default: 0,
    description:
      'Max number of requests begun per second. With 0 the node sends as fast as the service takes them, and slows down when told to.',
  },
  {
    displayName: 'Retries',
    name: 'retries',
    type: 'number',
    typeOptions: { minValue: 0, maxValue: 20 },
    default: 5,
    description:
      'Max number of further tries of a request that failed for a reason that may pass: too many requests, a fault of the service, no connection',
  },
  {
    displayName: 'Timeout',
    name: 'timeout',
    type: 'number',
    typeOptions: { minValue: 1 },
    default: 30,
    description: 'Max time in seconds to wait for the answer to one request before it is tried again',
  },
];

const SENDING: INodeProperties[] = [
  {
    displayName: 'Idempotency Key',
    name: 'idempotencyKey',
    type: 'string',
    default: '',
    placeholder: 'e.g. order-1001-receipt',
    description:
      "A name for this very email or event, at most 100 characters. The service carries out the same key once within 24 hours, so use a different one for each email and each event. Leave empty to let 'Send Once Per' decide.",
  },
  {
    displayName: 'Send Once Per',
    name: 'sendOnce',
    type: 'options',
    options: [
      {
        name: 'Content in 24 Hours',
        value: 'content',
        description: 'The same content to the same person goes out once within 24 hours, whatever runs',
      },
      {
        name: 'Run of the Workflow',
        value: 'run',
        description: 'A retry of a run sends nothing again; a new run does',
      },
    ],
    default: 'run',
    description: 'When the same content counts as sent already',
  },
];

/** The Options field of an operation that writes; `sending` adds what concerns emails and events. */
export function optionsField(resource: string, operation: string, sending: boolean): INodeProperties {
  const options = [...LIMITS, ...(sending ? SENDING : [])].sort((a, b) =>
    a.displayName < b.displayName ? -1 : 1,
  );
  return {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    placeholder: 'Add option',
    default: {},
    displayOptions: showFor(resource, operation),
    options,
  };
}
