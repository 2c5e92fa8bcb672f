import { IDEMPOTENCY_KEY_LIFETIME_MS } from 'audience-core/internal';
import type { INodeProperties } from 'n8n-workflow';
import type { Parameters } from '../helpers/parameters.js';
import type { SessionLimits } from '../service/session.js';

/** How the items of one run are carried out. */
export interface RunOptions {
  /** Items under way at once. */
  readonly concurrency: number;
  /** Whether the other items are carried out before a failed one stops the workflow. */
  readonly finishOthers: boolean;
  readonly limits: SessionLimits;
}

/** For what an item waits beside its own requests: its turn, and a service that asked to slow down. */
const WAITS_MS = 15 * 60_000;

const RUN_OPTIONS: readonly INodeProperties[] = [
  {
    displayName: 'Items at Once',
    name: 'concurrency',
    type: 'number',
    typeOptions: { minValue: 1, maxValue: 500 },
    default: 50,
    description:
      'Max number of items that are under way at the same time. The node begins with 10 and takes one more for each that has gone well.',
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
    typeOptions: { minValue: 0, maxValue: 100_000 },
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
      'Max number of further attempts at a request that failed for a reason that may pass: too many requests, a fault of the service, no connection',
  },
  {
    displayName: 'Timeout (Seconds)',
    name: 'timeout',
    type: 'number',
    typeOptions: { minValue: 0.1, maxValue: 3_600 },
    default: 30,
    description:
      'Max time in seconds to wait for the response to one request before it is attempted again, and (at least 10 seconds) for the end of an earlier attempt that the service still works on',
  },
];

/** The Options field of an operation, with options of its own. */
export function optionsField(own: readonly INodeProperties[]): INodeProperties {
  return {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    placeholder: 'Add option',
    default: {},
    options: [...RUN_OPTIONS, ...own].sort((a, b) => (a.displayName < b.displayName ? -1 : 1)),
  };
}

/**
 * Reads how to carry out the items; the first item's expressions count.
 *
 * @throws InputProblem for an option that is out of bounds.
 */
export function readRunOptions(parameters: Parameters): RunOptions {
  const concurrency = parameters.number('options.concurrency');
  const rate = parameters.number('options.requestsPerSecond', 'decimal');
  const maxRetries = parameters.number('options.retries');
  const timeoutMs = parameters.number('options.timeout', 'decimal') * 1000;
  // A call's deadline counts its wait for a turn too, so it has to leave room for all that are under way.
  const turns = rate === 0 ? 0 : ((concurrency * (maxRetries + 1)) / rate) * 1000;
  const deadlineMs = Math.min(IDEMPOTENCY_KEY_LIFETIME_MS, timeoutMs * (maxRetries + 1) + WAITS_MS + turns);
  return {
    concurrency,
    finishOthers: parameters.choice('options.onFailedItem', ['stop', 'finish']) === 'finish',
    limits: {
      concurrency,
      maxRetries,
      timeoutMs,
      deadlineMs,
      requestsPerSecond: rate === 0 ? undefined : rate,
    },
  };
}
