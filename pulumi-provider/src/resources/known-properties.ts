import type { ContactProperty, PropertyType } from 'audience-core';
import { nearest } from 'audience-core/internal';
import type { AudienceApi } from 'audience-core/internal';
import type { Reporter } from './host.js';
import { FOR_CHECKS, readForChecks } from './read-for-checks.js';

/** Types of custom properties by name. */
export type PropertyTypes = ReadonlyMap<string, PropertyType>;

/** The contact properties that there are: those of the service, read as seldom as possible, and those of the program. */
export class KnownProperties {
  private forChecks: Promise<readonly ContactProperty[] | undefined> | undefined;
  private readonly missed = new Set<string>();
  private readonly declared = new Map<string, PropertyType>();
  private current: Promise<readonly ContactProperty[]> | undefined;
  private next: Promise<readonly ContactProperty[]> | undefined;
  /** Whether the program declares properties whose name or type is not known yet. */
  hasUnknown = false;

  constructor(
    private readonly client: AudienceApi,
    private readonly reporter: Reporter,
  ) {}

  /** Remembers a property that the program declares. */
  declare(name: string, type: PropertyType): void {
    this.declared.set(name, type);
  }

  /**
   * The service's list to check inputs against, as it was when this run first asked; it is read again when a name is
   * asked for the first time that is not in it and that the program does not declare. Where the service cannot be
   * reached, the person is told once and `undefined` comes back: the check does without.
   *
   * @throws AuthenticationError or PermissionError where the service refuses the API key.
   */
  async listed(names: readonly string[] = []): Promise<readonly ContactProperty[] | undefined> {
    const listed = await (this.forChecks ??= this.readList());
    const isOpen = (name: string): boolean =>
      !this.missed.has(name) && !this.declared.has(name) && !listed?.some(({ key }) => key === name);
    const missing = names.filter(isOpen);
    for (const name of missing) this.missed.add(name);
    return listed === undefined || missing.length === 0 ? listed : (this.forChecks = this.readList());
  }

  /**
   * Types of all properties, and whether these are all there are.
   *
   * @param names names that must not be missing: the list is read again, once for each that is.
   * @throws AuthenticationError or PermissionError where the service refuses the API key.
   */
  async known(
    names: readonly string[] = [],
  ): Promise<{ readonly types: PropertyTypes; readonly isComplete: boolean }> {
    const listed = await this.listed(names);
    const types = new Map([...this.declared, ...(listed ?? []).map(({ key, type }) => [key, type] as const)]);
    return { types, isComplete: listed !== undefined && !this.hasUnknown };
  }

  /** Says of a name that is in neither list what is wrong with it; `undefined` where that is not certain. */
  async problemOf(name: string): Promise<string | undefined> {
    const { types, isComplete } = await this.known();
    if (!isComplete || types.has(name)) return undefined;
    const near = nearest(name, [...types.keys()]);
    return `is no contact property. ${near === undefined ? 'Declare it with a ContactProperty, or correct the name' : `Did you mean '${near}'?`}`;
  }

  /**
   * The list as it is now. Callers that ask while a request is under way share the one that comes after it, so that
   * hundreds of resources cost a few requests.
   */
  fresh(): Promise<readonly ContactProperty[]> {
    if (this.current === undefined) {
      this.current = this.client.properties.list().finally(() => {
        this.current = undefined;
      });
      return this.current;
    }
    const readAfter = (): Promise<readonly ContactProperty[]> => {
      this.next = undefined;
      return this.fresh();
    };
    return (this.next ??= this.current.then(readAfter, readAfter));
  }

  private readList(): Promise<readonly ContactProperty[] | undefined> {
    return readForChecks('Names and types of contact properties', this.reporter, () =>
      this.client.properties.list({}, FOR_CHECKS),
    );
  }
}
