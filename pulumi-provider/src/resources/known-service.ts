import { AudienceError, AuthenticationError, PermissionError } from 'audience-core';
import type { CallOptions, ContactProperty, PropertyType, SubscriptionGroup } from 'audience-core';
import { nearest } from 'audience-core/internal';
import type { AudienceApi } from 'audience-core/internal';
import type { Reporter } from './host.js';
import { limited } from './words.js';

export type PropertyTypes = ReadonlyMap<string, PropertyType>;

/** A person waits for a check. */
const FOR_CHECKS: CallOptions = { timeoutMs: 5_000, deadlineMs: 10_000 };

/**
 * What checks know of the service, and the properties that the program declares.
 * All reads throw AuthenticationError or PermissionError where the service refuses the API key.
 */
export class KnownService {
  private listForChecks: Promise<readonly ContactProperty[] | undefined> | undefined;
  private groups: Promise<readonly SubscriptionGroup[] | undefined> | undefined;
  private current: Promise<unknown> = Promise.resolve();
  private next: Promise<readonly ContactProperty[]> | undefined;
  private readonly missed = new Set<string>();
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
   * @param what begins the warning: `Names and types of contact properties`.
   */
  async forCheck<Data>(
    what: string,
    read: (options: CallOptions) => Promise<Data>,
  ): Promise<Data | undefined> {
    try {
      return await read(FOR_CHECKS);
    } catch (error) {
      const isRefused = error instanceof AuthenticationError || error instanceof PermissionError;
      if (!(error instanceof AudienceError) || isRefused) throw error;
      this.reporter.warn(`${what} could not be checked against the service. ${error.message}`);
      return undefined;
    }
  }

  declareProperty(name: string, type: PropertyType): void {
    this.declared.set(name, type);
  }

  /** The service's properties, as first read in this run; read again once for each missing name. */
  async listedProperties(names: readonly string[] = []): Promise<readonly ContactProperty[] | undefined> {
    const read = (): Promise<readonly ContactProperty[] | undefined> =>
      this.forCheck('Names and types of contact properties', (options) =>
        this.client.properties.list({}, options),
      );
    const listed = await (this.listForChecks ??= read());
    const isOpen = (name: string): boolean =>
      !this.missed.has(name) && !this.declared.has(name) && !listed?.some(({ key }) => key === name);
    const missing = names.filter(isOpen);
    for (const name of missing) this.missed.add(name);
    return listed === undefined || missing.length === 0 ? listed : (this.listForChecks = read());
  }

  /** Types of all properties by name, and whether the list is complete; `names` as in `listedProperties`. */
  async propertyTypes(
    names: readonly string[] = [],
  ): Promise<{ readonly types: PropertyTypes; readonly isComplete: boolean }> {
    const listed = await this.listedProperties(names);
    const types = new Map([...this.declared, ...(listed ?? []).map(({ key, type }) => [key, type] as const)]);
    return { types, isComplete: listed !== undefined && !this.hasUnknownProperties };
  }

  /** The problem of a property's name, where it is certain. */
  async propertyProblem(name: string): Promise<string | undefined> {
    const { types, isComplete } = await this.propertyTypes();
    if (!isComplete || types.has(name)) return undefined;
    const near = nearest(name, [...types.keys()]);
    return `is no contact property. ${near === undefined ? 'Declare it with a ContactProperty, or correct the name' : `Did you mean '${near}'?`}`;
  }

  /** The problem of a subscription group's id, where it is certain. */
  async groupProblem(id: string): Promise<string | undefined> {
    this.groups ??= this.forCheck('Ids of subscription groups', (options) =>
      this.client.subscriptionGroups.list(options),
    );
    const groups = await this.groups;
    if (groups === undefined || groups.some((group) => group.id === id)) return undefined;
    const named = groups.find(({ name }) => name === id);
    if (named !== undefined) return `is the name of subscription group '${named.id}'. Give its id`;
    const known = groups.map(({ id: known, name }) => `'${known}' (${name})`);
    return known.length === 0
      ? 'is no subscription group: the service has none'
      : `is no subscription group. The service has ${limited(known).join(', ')}`;
  }

  /** The properties as they are now. Callers during a request share the next one: hundreds of resources need few. */
  freshProperties(): Promise<readonly ContactProperty[]> {
    const read = (): Promise<readonly ContactProperty[]> => {
      this.next = undefined;
      const listed = this.client.properties.list();
      this.current = listed;
      return listed;
    };
    return (this.next ??= this.current.then(read, read));
  }
}
