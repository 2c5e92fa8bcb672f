import type { Behaviour } from '../resources/behaviour.js';
import { contact } from '../resources/contact/contact.js';
import { contactProperty } from '../resources/contact-property.js';
import { contacts } from '../resources/contacts/contacts.js';

export const registry = { contactProperty, contact, contacts } as const satisfies Readonly<
  Record<string, Behaviour>
>;

export const PACKAGE = 'audience';

/** Token of a type or a function: `audience:index:ContactProperty`. */
export function tokenOf(name: string, kind: 'type' | 'function'): string {
  return `${PACKAGE}:index:${kind === 'type' ? name.charAt(0).toUpperCase() + name.slice(1) : name}`;
}
