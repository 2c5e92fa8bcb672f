import type { AudienceApi } from 'audience-core/internal';
import { Declarations } from './declarations.js';
import type { Host } from './host.js';
import { KnownGroups } from './known-groups.js';
import { KnownProperties } from './known-properties.js';

/**
 * One run of a program against one service: what its resources share. A host makes one per run and configuration, so
 * that no two stacks meet in it.
 */
export class Run {
  /** What the program has declared so far. */
  readonly declarations = new Declarations();
  /** Contact properties that there are. */
  readonly properties: KnownProperties;
  /** Subscription groups that there are. */
  readonly groups: KnownGroups;

  constructor(
    readonly client: AudienceApi,
    readonly host: Host,
  ) {
    this.properties = new KnownProperties(client, host.reporter);
    this.groups = new KnownGroups(client, host.reporter);
  }
}
