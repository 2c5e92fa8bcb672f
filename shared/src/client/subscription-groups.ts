import { listSubscriptionGroups } from '../contract/subscription-groups.js';
import type { SubscriptionGroup } from '../contract/types.js';
import type { CallOptions } from '../http/call.js';
import type { Pipeline } from '../http/pipeline.js';
import { apiCall } from './api-call.js';
import type { ApiCall } from './api-call.js';
import { prepare } from './prepare.js';

/** Subscription groups (interface: Subscription group). */
export class SubscriptionGroupsResource {
  readonly #pipeline: Pipeline;

  /** @internal */
  constructor(pipeline: Pipeline) {
    this.#pipeline = pipeline;
  }

  /**
   * Lists all subscription groups. Interface: GET /v1/subscription-groups.
   */
  list(options?: CallOptions): ApiCall<SubscriptionGroup[]> {
    const action = 'list subscription groups';
    return apiCall(async () =>
      this.#pipeline.run(prepare(this.#pipeline, listSubscriptionGroups, { action }), options),
    );
  }
}
