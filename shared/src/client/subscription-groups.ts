import { listSubscriptionGroups } from '../contract/subscription-groups.js';
import type { SubscriptionGroup } from '../contract/subscription-groups.js';
import type { CallOptions, Pipeline } from '../http/pipeline.js';
import { prepare } from './prepare.js';
import { withResponse } from './response-of.js';

/** Subscription groups (interface: Subscription group). */
export class SubscriptionGroupsResource {
  readonly #pipeline: Pipeline;

  constructor(pipeline: Pipeline) {
    this.#pipeline = pipeline;
  }

  /** Lists all subscription groups. Interface: GET /v1/subscription-groups. */
  async list(options?: CallOptions): Promise<SubscriptionGroup[]> {
    const call = prepare(listSubscriptionGroups, { action: 'list subscription groups' });
    const { answer, response } = await this.#pipeline.run(call, options);
    return withResponse(answer ?? [], response);
  }
}
