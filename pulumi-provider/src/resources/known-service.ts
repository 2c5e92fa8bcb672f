import {
  AudienceError,
  AuthenticationError,
  type CallOptions,
  type ContactProperty,
  type PropertyType,
  type SubscriptionGroup,
} from 'audience-core';
import type { AudienceApi } from 'audience-core/internal';
import { problem, type Problem, type Reporter } from '../messages/index.js';
import type { KnownProperties } from '../contact-file/fields.js';
import { causeOf } from './errors.js';

/** What can be declared beside the fields of every contact. */
export interface KnownNames extends KnownProperties {
  groupProblems?(ids: readonly string[]): Promise<readonly Problem[]>;
}

/** Limits of a look-up of a check. The checks of a run have the deadline for all of theirs. */
const LOOK_UP = { timeoutMs: 5_000, deadlineMs: 10_000 } as const;

/**
 * What checks know of the service, and the properties that the program declares.
 * All reads throw an AuthenticationError on a 401.
 */
export class KnownService {
  private listForChecks: Promise<readonly ContactProperty[] | undefined> | undefined;
  private groups: Promise<readonly SubscriptionGroup[] | undefined> | undefined;
  private readonly declared = new Map<string, PropertyType>();
  private readonly ending = new AbortController();
  private underWay = 0;
  private leftMs: number = LOOK_UP.deadlineMs;
  private endsAt = 0;
  /** Whether the program declares properties whose name or type is not known yet. */
  hasUnknownProperties = false;

  constructor(
    private readonly client: AudienceApi,
    private readonly reporter: Reporter,
  ) {}

  /**
   * Reads for a check; where the service cannot be read in time, the user is warned and the check works without the
   * data.
   *
   * @param what begins the warning, which is told once.
   */
  async forCheck<Data>(
    what: 'Names and types of contact properties' | 'Ids of subscription groups' | 'Which contacts exist',
    read: (options: CallOptions) => Promise<Data>,
  ): Promise<Data | undefined> {
    const { signal } = this.ending;
    // Only the time in which look-ups are under way counts.
    if (this.underWay === 0) this.endsAt = Date.now() + this.leftMs;
    this.underWay += 1;
    const timer = setTimeout(() => this.ending.abort(), this.endsAt - Date.now());
    try {
      if (!signal.aborted) return await read({ ...LOOK_UP, signal });
    } catch (error) {
      if (!(error instanceof AudienceError) || error instanceof AuthenticationError) throw error;
      if (!signal.aborted) this.reporter.warn(problem('service.notChecked', { what, cause: causeOf(error) }));
    } finally {
      clearTimeout(timer);
      this.underWay -= 1;
      if (this.underWay === 0) this.leftMs = this.endsAt - Date.now();
    }
    if (signal.aborted) this.reporter.warn(problem('service.slow', {}));
    return undefined;
  }

  declareProperty(name: string, type: PropertyType): void {
    this.declared.set(name, type);
  }

  /** The service's properties, as first read in this run. */
  listedProperties(): Promise<readonly ContactProperty[] | undefined> {
    return (this.listForChecks ??= this.forCheck('Names and types of contact properties', (options) =>
      this.client.properties.list({}, options),
    ));
  }

  /** All properties by name, as far as the service lets us look. */
  async names(): Promise<KnownNames> {
    const listed = await this.listedProperties();
    const types = new Map([...this.declared, ...(listed ?? []).map(({ key, type }) => [key, type] as const)]);
    const isComplete = listed !== undefined && !this.hasUnknownProperties;
    return { types, isComplete, groupProblems: (ids) => this.groupProblems(ids) };
  }

  /** The problems of ids of subscription groups, where they are certain. */
  private async groupProblems(ids: readonly string[]): Promise<readonly Problem[]> {
    if (ids.length === 0) return [];
    this.groups ??= this.forCheck('Ids of subscription groups', (options) =>
      this.client.subscriptionGroups.list(options),
    );
    const groups = await this.groups;
    if (groups === undefined) return [];
    const known = groups.map(({ id, name }) => `'${id}' (${name})`);
    return ids
      .filter((id) => groups.every((group) => group.id !== id))
      .map((id) => {
        const near = groups.find(({ name }) => name === id)?.id;
        return problem('input.noGroup', { id, near, groups: known });
      });
  }
}
