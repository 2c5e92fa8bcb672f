import type { ContactProperty, PropertyType } from 'audience-core';
import type { AudienceApi } from 'audience-core/internal';
import type { Reporter } from './host.js';
import { FOR_CHECKS, readForChecks } from './read-for-checks.js';
import { nearest } from './words.js';

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
    this.forChecks ??= this.readList();
    const listed = await this.forChecks;
    const missing = names.filter(
      (name) =>
        !this.missed.has(name) && !this.declared.has(name) && !listed?.some(({ key }) => key === name),
    );
    for (const name of missing) this.missed.add(name);
    if (listed === undefined || missing.length === 0) return listed;
    this.forChecks = this.readList();
    return this.forChecks;
  }

  /**
   * Types of these names, as the service lists them or the program declares them; a name that is missing in the result
   * is unknown to both, or could not be looked up: {@link problemOf} tells which.
   *
   * @throws AuthenticationError or PermissionError where the service refuses the API key.
   */
  async typesOf(names: readonly string[]): Promise<PropertyTypes> {
    const listed = (await this.listed(names)) ?? [];
    return typesOf(names, listed, this.declared);
  }

  /**
   * Types of all names, and whether these are all there are.
   *
   * @param names names that were found missing: the list is read again, once for each.
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
    const listed = await this.listed();
    if (listed === undefined || this.hasUnknown || this.declared.has(name)) return undefined;
    if (listed.some(({ key }) => key === name)) return undefined;
    const known = [...new Set([...listed.map(({ key }) => key), ...this.declared.keys()])];
    const near = nearest(name, known);
    const advice =
      near === undefined
        ? 'Declare it with a ContactProperty, or correct the name'
        : `Did you mean '${near}'?`;
    return `is no contact property. ${advice}`;
  }

  /**
   * The list as it is now. Callers that ask while a request is under way share the one that comes after it, so that
   * hundreds of resources cost a few requests.
   */
  fresh(): Promise<readonly ContactProperty[]> {
    if (this.current === undefined) {
      const reading: Promise<readonly ContactProperty[]> = this.client.properties.list().finally(() => {
        if (this.current === reading) this.current = undefined;
      });
      this.current = reading;
      return reading;
    }
    const before = this.current;
    this.next ??= before
      .catch(() => undefined)
      .then(() => {
        this.next = undefined;
        return this.fresh();
      });
    return this.next;
  }

  private readList(): Promise<readonly ContactProperty[] | undefined> {
    return readForChecks('Names and types of contact properties', this.reporter, () =>
      this.client.properties.list({}, FOR_CHECKS),
    );
  }
}

/** Types of the names that are in a list, or else declared. */
export function typesOf(
  names: readonly string[],
  listed: readonly ContactProperty[],
  declared: PropertyTypes = new Map(),
): PropertyTypes {
  const types = new Map<string, PropertyType>();
  for (const name of names) {
    const type = listed.find(({ key }) => key === name)?.type ?? declared.get(name);
    if (type !== undefined) types.set(name, type);
  }
  return types;
}
