import { IDEMPOTENCY_KEY_LIFETIME_MS } from 'audience-core/internal';
import type { INodeProperties } from 'n8n-workflow';
import type { Parameters } from '../parameters/parameters.js';
import type { Operation } from '../run/operation.js';
import type { SessionLimits } from '../service/session.js';

/** For how long an item waits beside its own requests: its turn, and a service that asks to slow down. */
const WAITS_MS = 15 * 60_000;

/** Further attempts at a request that failed for a reason that may pass. */
const MAX_RETRIES = 5;

/** Options of an operation that changes something. */
const WRITING: readonly INodeProperties[] = [
  {
    displayName: 'Items at Once',
    name: 'concurrency',
    type: 'number',
    typeOptions: { minValue: 1, maxValue: 500 },
    default: 50,
    description: 'Max number of items under way at the same time. It begins with 10 and rises.',
  },
  {
    displayName: 'Requests per Second',
    name: 'requestsPerSecond',
    type: 'number',
    typeOptions: { minValue: 0, maxValue: 100_000 },
    default: 0,
    description: 'Max number of requests per second. 0: as fast as the service allows.',
  },
  {
    displayName: 'Timeout (Seconds)',
    name: 'timeout',
    type: 'number',
    typeOptions: { minValue: 0.1, maxValue: 3_600 },
    default: 30,
    description: 'Max time in seconds to wait for one response, before the request is tried again',
  },
];

/** Options of an operation that sends an email or event. */
const SENDING: readonly INodeProperties[] = [
  {
    displayName: 'Idempotency Key',
    name: 'idempotencyKey',
    type: 'string',
    default: '',
    placeholder: 'e.g. order-1001-receipt',
    description: 'The same key sends once in 24 hours, in any run, to the same recipient',
  },
  {
    displayName: 'Send Once Per',
    name: 'sendOnce',
    type: 'options',
    options: [
      {
        name: 'Content in 24 Hours',
        value: 'content',
        description: 'A new run does not send the same content to the same recipient again',
      },
      {
        name: 'Run of the Workflow',
        value: 'run',
        description: 'A retry sends only what is missing; a new run sends everything',
      },
    ],
    default: 'run',
    description: 'When an item counts as sent',
  },
];

/** The fields of an operation, with its options; a read has none. */
export function allFields({ fields, kind }: Operation): INodeProperties[] {
  if (kind === 'reads' || kind === 'lists') return [...fields];
  const options = kind === 'sends' ? [...SENDING, ...WRITING] : [...WRITING];
  return [
    ...fields,
    {
      displayName: 'Options',
      name: 'options',
      type: 'collection',
      placeholder: 'Add option',
      default: {},
      options: options.sort((a, b) => (a.displayName < b.displayName ? -1 : 1)),
    },
  ];
}

/** Default limits, which those of a read are. */
const LIMITS = { concurrency: 50, requestsPerSecond: 0, timeout: 30 } as const;

/**
 * Reads how to carry out the items; the first item's expressions count.
 *
 * @throws InputProblem for an option that is out of bounds.
 */
export function readOptions(
  operation: Operation,
  parameters: Parameters,
): SessionLimits & { concurrency: number } {
  const isRead = operation.kind === 'reads' || operation.kind === 'lists';
  const read = (name: keyof typeof LIMITS, kind?: 'decimal'): number =>
    isRead ? LIMITS[name] : parameters.number(`options.${name}`, kind);
  const concurrency = read('concurrency');
  const rate = read('requestsPerSecond', 'decimal');
  const timeoutMs = read('timeout', 'decimal') * 1000;
  // A call's deadline includes its wait for the rate limit, so it allows for all calls under way.
  const turns = rate === 0 ? 0 : ((concurrency * (MAX_RETRIES + 1)) / rate) * 1000;
  const deadlineMs = Math.min(IDEMPOTENCY_KEY_LIFETIME_MS, timeoutMs * (MAX_RETRIES + 1) + WAITS_MS + turns);
  return {
    concurrency,
    maxRetries: MAX_RETRIES,
    timeoutMs,
    deadlineMs,
    requestsPerSecond: rate === 0 ? undefined : rate,
  };
}
