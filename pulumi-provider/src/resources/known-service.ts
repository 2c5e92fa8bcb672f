import { AudienceError, AuthenticationError, PermissionError } from 'audience-core';
import type { CallOptions, ContactProperty, PropertyType, SubscriptionGroup } from 'audience-core';
import { nearest } from 'audience-core/internal';
import type { AudienceApi } from 'audience-core/internal';
import type { Reporter } from './host.js';
import { problem } from '../messages.js';
import type { Named, Problem } from '../messages.js';
import { causeOf } from './cause.js';

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
      const cause = causeOf(error);
      this.reporter.warn(
        typeof what === 'string'
          ? problem('service.notChecked', { what, cause })
          : problem('contact.notChecked', { contact: what, cause }),
      );
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

  /** The problem of a property's name, where it is certain; `of` is the input that has it. */
  async propertyProblem(name: string, of: string): Promise<Problem | undefined> {
    const { types, isComplete } = await this.propertyTypes();
    if (!isComplete || types.has(name)) return undefined;
    const near = nearest(name, [...types.keys()]);
    return near === undefined
      ? problem('input.noProperty', { of, name })
      : problem('input.nearProperty', { of, name, near });
  }

  /** The problem of a subscription group's id, where it is certain. */
  async groupProblem(id: string): Promise<Problem<'input.noGroup'> | undefined> {
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
