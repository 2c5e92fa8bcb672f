import { AuthenticationError, AudienceError, PermissionError } from 'audience-core';
import type { AudienceApi, CallOptions, ContactProperty } from 'audience-core';
import type { Reporter } from './host.js';

/** Limits of the list when it is only read for a preview: a person is waiting. */
const FOR_PREVIEW: CallOptions = { timeoutMs: 5_000, deadlineMs: 10_000 };

/** The service's contact properties, read as seldom as possible. */
export class PropertyList {
  private forChecks: Promise<readonly ContactProperty[] | undefined> | undefined;
  private readonly missed = new Set<string>();
  private current: Promise<readonly ContactProperty[]> | undefined;
  private next: Promise<readonly ContactProperty[]> | undefined;

  constructor(
    private readonly client: AudienceApi,
    private readonly reporter: Reporter,
  ) {}

  /**
   * The list to check inputs against, as it was when this process first asked; it is read again when a name is
   * asked for the first time that it does not have, as the program may have created that property meanwhile. Where
   * the service cannot be reached, the person is told once and the answer is `undefined`: the check does without.
   *
   * @throws AuthenticationError or PermissionError where the service refuses the API key.
   */
  async forPreview(names: readonly string[]): Promise<readonly ContactProperty[] | undefined> {
    this.forChecks ??= this.readForPreview();
    const listed = await this.forChecks;
    const missing = names.filter(
      (name) => !this.missed.has(name) && !listed?.some(({ key }) => key === name),
    );
    for (const name of missing) this.missed.add(name);
    if (listed === undefined || missing.length === 0) return listed;
    this.forChecks = this.readForPreview();
    return this.forChecks;
  }

  /**
   * The list as it is now. Callers that ask while a request is under way share the one that comes after it, so
   * that hundreds of resources cost a few requests.
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

  private async readForPreview(): Promise<readonly ContactProperty[] | undefined> {
    try {
      return await this.client.properties.list({}, FOR_PREVIEW);
    } catch (error) {
      if (!(error instanceof AudienceError)) throw error;
      if (error instanceof AuthenticationError || error instanceof PermissionError) throw error;
      this.reporter.warn(
        `Names and types of contact properties could not be checked against the service. ${error.message}`,
      );
      return undefined;
    }
  }
}
