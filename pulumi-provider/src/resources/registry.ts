import type { Behaviour } from './behaviour.js';
import { contact } from './contact/contact.js';
import { contactProperty } from './contact-property.js';
import { contacts } from './contacts/contacts.js';

/** Every type of resource, by the name that adapters know it by. */
export const registry = { contactProperty, contact, contacts } as const satisfies Readonly<
  Record<string, Behaviour>
>;
