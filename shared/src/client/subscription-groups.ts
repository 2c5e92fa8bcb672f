import { listSubscriptionGroups } from '../contract/subscription-groups.js';
import type { SubscriptionGroup } from '../contract/types.js';
import type { CallOptions } from '../http/call.js';
import type { Pipeline } from '../http/pipeline.js';
import { read } from './calls.js';
import type { ApiCall } from './types.js';

/** Subscription groups (interface: Subscription group). */
export class SubscriptionGroupsResource {
  /** @internal */
  constructor(private readonly pipeline: Pipeline) {}

  /** Lists all subscription groups. Interface: GET /v1/subscription-groups. */
  list(options?: CallOptions): ApiCall<SubscriptionGroup[]> {
    return read(this.pipeline, listSubscriptionGroups, { action: 'list subscription groups' }, options);
  }
}
