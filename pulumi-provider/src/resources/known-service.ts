import {
  AudienceError,
  AuthenticationError,
  PermissionError,
  type CallOptions,
  type ContactProperty,
  type PropertyType,
  type SubscriptionGroup,
} from 'audience-core';
import { nearest, type AudienceApi } from 'audience-core/internal';
import type { Reporter } from './run.js';
import { problem, type Named, type Problem } from '../messages/index.js';
import { causeOf } from './errors.js';

export type PropertyTypes = ReadonlyMap<string, PropertyType>;

/** What can be declared beside the fields of every contact. */
export interface KnownNames {
  readonly types: PropertyTypes;
  /** Whether `types` has all properties: then another name is an error. */
  readonly isComplete: boolean;
  groupProblem?(id: string): Promise<Problem | undefined>;
}

/** A person waits for a check. */
const FOR_CHECKS: CallOptions = { timeoutMs: 5_000, deadlineMs: 10_000 };

/**
 * What checks know of the service, and the properties that the program declares.
 * All reads throw AuthenticationError or PermissionError where the service refuses the API key.
 */
export class KnownService {
  private listForChecks: Promise<readonly ContactProperty[] | undefined> | undefined;
  private groups: Promise<readonly SubscriptionGroup[] | undefined> | undefined;
  private readonly declared = new Map<string, PropertyType>();
  /** Whether the program declares properties whose name or type is not known yet. */
  hasUnknownProperties = false;

  constructor(
    private readonly client: AudienceApi,
    private readonly reporter: Reporter,
  ) {}

  /**
   * Reads for a check; where the service cannot be reached, the person is warned and the check works without the data.
   *
   * @param what begins the warning: `Names and types of contact properties`, or the contact that is looked for.
   */
  async forCheck<Data>(
    what: string | Named,
    read: (options: CallOptions) => Promise<Data>,
  ): Promise<Data | undefined> {
    try {
      return await read(FOR_CHECKS);
    } catch (error) {
      const isRefused = error instanceof AuthenticationError || error instanceof PermissionError;
      if (!(error instanceof AudienceError) || isRefused) throw error;
      this.reporter.warn(problem('service.notChecked', { what, cause: causeOf(error) }));
      return undefined;
    }
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
