import {
  AudienceError,
  AuthenticationError,
  type CallOptions,
  type ContactProperty,
  type PropertyType,
  type SubscriptionGroup,
} from 'audience-core';
import { nearest, type AudienceApi } from 'audience-core/internal';
import { problem, type Problem, type Reporter } from '../messages/index.js';
import type { KnownProperties } from '../contact-file/fields.js';
import { causeOf } from './errors.js';

/** What can be declared beside the fields of every contact. */
export interface KnownNames extends KnownProperties {
  groupProblem?(id: string): Promise<Problem | undefined>;
}

/** Limits of a look-up of a check. The checks of a run have the deadline for all of theirs. */
const LOOK_UP = { timeoutMs: 5_000, deadlineMs: 10_000 } as const;

/** Limits the time in which a run looks things up for its checks. */
class LookUpTime {
  readonly #ending = new AbortController();
  #leftMs: number = LOOK_UP.deadlineMs;
  #underWay = 0;
  #since = 0;
  #timer: NodeJS.Timeout | undefined;

  get isOver(): boolean {
    return this.#ending.signal.aborted;
  }

  async within<Data>(read: (options: CallOptions) => Promise<Data>): Promise<Data> {
    const { signal } = this.#ending;
    if (this.#underWay === 0) {
      this.#since = Date.now();
      this.#timer = setTimeout(() => this.#ending.abort(), this.#leftMs);
    }
    this.#underWay += 1;
    try {
      return await read({ ...LOOK_UP, signal });
    } finally {
      this.#underWay -= 1;
      if (this.#underWay === 0) {
        clearTimeout(this.#timer);
        this.#leftMs = Math.max(0, this.#leftMs - (Date.now() - this.#since));
      }
    }
  }
}

/**
 * What checks know of the service, and the properties that the program declares.
 * All reads throw an AuthenticationError on a 401.
 */
export class KnownService {
  private listForChecks: Promise<readonly ContactProperty[] | undefined> | undefined;
  private groups: Promise<readonly SubscriptionGroup[] | undefined> | undefined;
  private readonly declared = new Map<string, PropertyType>();
  private readonly lookUpTime = new LookUpTime();
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
    try {
      if (!this.lookUpTime.isOver) return await this.lookUpTime.within(read);
    } catch (error) {
      if (!(error instanceof AudienceError) || error instanceof AuthenticationError) throw error;
      if (!this.lookUpTime.isOver)
        this.reporter.warn(problem('service.notChecked', { what, cause: causeOf(error) }));
    }
    if (this.lookUpTime.isOver) this.reporter.warn(problem('service.slow', {}));
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
    return { types, isComplete, groupProblem: (id) => this.groupProblem(id) };
  }

  /** The problem of a property's name, where it is certain; `of` is the input that has it. */
  async propertyProblem(name: string, of: string): Promise<Problem | undefined> {
    const { types, isComplete } = await this.names();
    if (!isComplete || types.has(name)) return undefined;
    return problem('input.noProperty', { of, name, near: nearest(name, [...types.keys()]) });
  }

  /** The problem of a subscription group's id, where it is certain. */
  async groupProblem(id: string): Promise<Problem | undefined> {
    this.groups ??= this.forCheck('Ids of subscription groups', (options) =>
      this.client.subscriptionGroups.list(options),
    );
    const groups = await this.groups;
    if (groups === undefined || groups.some((group) => group.id === id)) return undefined;
    const near = groups.find(({ name }) => name === id)?.id;
    return problem('input.noGroup', {
      ...{ id, near },
      groups: groups.map(({ id: known, name }) => `'${known}' (${name})`),
    });
  }
}
