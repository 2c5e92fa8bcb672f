import type { IncomingMessage } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { Account } from '../account/account.js';
import { NO_EFFECTS, type Effects, type RequestLogEntry } from '../account/records.js';
import type { Switch } from '../faults/fault.js';
import type { Operation } from '../service/operation.js';
import type { ServiceResponse } from './service-response.js';

/** How a call ends: in a response, or in what a fault makes of it. */
export type Outcome = ({ readonly kind: 'response' } & ServiceResponse) | { readonly kind: Switch };

/** One call on its way through, and what the log will say of it. */
export class ServiceCall {
  readonly idempotencyKey: string | null;
  body: Buffer = Buffer.alloc(0);
  operation: Operation | undefined;
  fault: string | null = null;
  /** Responds again, for a call that only reads. */
  rerun: (() => Outcome) | undefined;
  /** Whether a fault has responded while the call goes on. */
  responded = false;
  applied = false;
  replayed = false;
  effects: Effects = NO_EFFECTS;
  #json: { readonly value: unknown } | undefined;
  /** The number of resets when the call began. */
  readonly resets: number;
  readonly #time: string;
  readonly #started = performance.now();

  constructor(
    private readonly request: IncomingMessage,
    private readonly account: Account,
  ) {
    this.resets = account.resets;
    this.#time = account.clock.timestamp();
    const key = request.headers['idempotency-key'];
    this.idempotencyKey = typeof key === 'string' ? key : null;
  }

  readJson(value: unknown): unknown {
    this.#json = { value };
    return value;
  }

  finish(outcome: Outcome): RequestLogEntry {
    return {
      id: this.account.nextId('request'),
      time: this.#time,
      durationMs: Math.round((performance.now() - this.#started) * 100) / 100,
      method: this.request.method ?? '',
      path: this.request.url ?? '',
      route: this.operation?.operationId ?? null,
      status: outcome.kind === 'response' ? outcome.status : null,
      key: this.idempotencyKey,
      requestBody: this.#json === undefined ? this.#text() : this.#json.value,
      responseBody: outcome.kind === 'response' ? (outcome.body ?? null) : null,
      fault: this.fault,
      applied: this.applied,
      replayed: this.replayed,
      effects: this.effects,
    };
  }

  #text(): string | null {
    return this.body.length === 0 ? null : this.body.subarray(0, 2000).toString('utf8');
  }
}
