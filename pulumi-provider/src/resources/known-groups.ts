import type { SubscriptionGroup } from 'audience-core';
import type { AudienceApi } from 'audience-core/internal';
import type { Reporter } from './host.js';
import { FOR_CHECKS, readForChecks } from './read-for-checks.js';
import { limited } from './words.js';

/** The service's subscription groups, read once in a run. */
export class KnownGroups {
  private list: Promise<readonly SubscriptionGroup[] | undefined> | undefined;

  constructor(
    private readonly client: AudienceApi,
    private readonly reporter: Reporter,
  ) {}

  /**
   * Says of a group id what is wrong with it, or `undefined`; it is so too where the service cannot be reached.
   *
   * @throws AuthenticationError or PermissionError where the service refuses the API key.
   */
  async problemOf(id: string): Promise<string | undefined> {
    this.list ??= readForChecks('Ids of subscription groups', this.reporter, () =>
      this.client.subscriptionGroups.list(FOR_CHECKS),
    );
    const groups = await this.list;
    if (groups === undefined || groups.some((group) => group.id === id)) return undefined;
    const named = groups.find(({ name }) => name === id);
    if (named !== undefined) return `is the name of subscription group '${named.id}'. Give its id`;
    const known = groups.map(({ id: known, name }) => `'${known}' (${name})`);
    return known.length === 0
      ? 'is no subscription group: the service has none'
      : `is no subscription group. The service has ${limited(known).join(', ')}`;
  }
}
