import type { Behaviour } from '../resources/behaviour.js';
import { contact } from '../resources/contact/contact.js';
import { contactProperty } from '../resources/contact-property.js';
import { contacts } from '../resources/contacts/contacts.js';

/** Every type of resource, by name. */
export const registry = { contactProperty, contact, contacts } as const satisfies Readonly<
  Record<string, Behaviour>
>;
