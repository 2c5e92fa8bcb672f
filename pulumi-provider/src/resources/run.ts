import type { AudienceApi } from 'audience-core/internal';
import { Cleared } from './cleared.js';
import { ContactsRun } from './contacts/contacts-run.js';
import { Claims } from './declarations.js';
import type { Host } from './host.js';
import { KnownGroups } from './known-groups.js';
import { KnownProperties } from './known-properties.js';
import { People } from './people.js';

/**
 * One run of a program against one service: what its resources share. A host makes one per run and configuration, so
 * that no two stacks meet in it.
 */
export class Run {
  /** Whom the program declares. */
  readonly people: People;
  /** What the run has cleared, of whom. */
  readonly cleared: Cleared;
  /** Contact properties that the program declares, by name. */
  readonly declaredProperties = new Claims();
  /** Contact properties that there are. */
  readonly properties: KnownProperties;
  /** Subscription groups that there are. */
  readonly groups: KnownGroups;
  /** What `Contacts` resources hand from one step to the next. */
  readonly contacts: ContactsRun;

  /** Ids of contacts that were compared before their inputs were checked: they are replaced, the old one first. */
  readonly unchecked = new Set<string>();

  constructor(
    readonly client: AudienceApi,
    readonly host: Host,
  ) {
    this.people = new People(host.others);
    this.cleared = new Cleared(host.others);
    this.contacts = new ContactsRun(host.others);
    this.properties = new KnownProperties(client, host.reporter);
    this.groups = new KnownGroups(client, host.reporter);
  }
}
