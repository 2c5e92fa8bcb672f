import type { Behaviour } from '../resources/behaviour.js';
import { contact } from '../resources/contact/contact.js';
import { contactProperty } from '../resources/contact-property.js';
import { contacts } from '../resources/contacts/contacts.js';

export const registry = { contactProperty, contact, contacts } as const satisfies Readonly<
  Record<string, Behaviour>
>;
