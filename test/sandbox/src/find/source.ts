import { contactKind, emailKind, eventKind, type Kind } from './kinds.js';
import type { SandboxQueries } from './queries.js';

/** What the queries read: the sandbox itself, or its control plane. */
export interface Source extends Pick<SandboxQueries, 'contact' | 'deleteContact'> {
  find<Stored extends { readonly id: string }, Item, Filter extends object>(
    kind: Kind<Stored, Item, Filter>,
    filter: object,
  ): Promise<Item[]>;
  wait<Stored extends { readonly id: string }, Item, Filter extends object>(
    kind: Kind<Stored, Item, Filter>,
    filter: object,
  ): Promise<Item>;
}

/** The queries of a source. */
export function queriesOf(source: Source): SandboxQueries {
  return {
    emails: (filter = {}) => source.find(emailKind, filter),
    events: (filter = {}) => source.find(eventKind, filter),
    contacts: (filter = {}) => source.find(contactKind, filter),
    contact: (identifier) => source.contact(identifier),
    waitForEmail: (filter = {}) => source.wait(emailKind, filter),
    waitForEvent: (filter = {}) => source.wait(eventKind, filter),
    waitForContact: (filter = {}) => source.wait(contactKind, filter),
    deleteContact: (identifier) => source.deleteContact(identifier),
  };
}
