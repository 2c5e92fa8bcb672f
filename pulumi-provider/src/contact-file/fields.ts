import { CONTACT_FIELDS, fieldsSetBy } from 'audience-core/internal';

/** Value of a field or a property in a request; `null` clears it. Dates are Unix seconds. */
export type Value = string | number | boolean | null;

const GROUP = 'subscriptionGroups.';

/** The group of a flat name such as `subscriptionGroups.<id>`. */
export function groupOf(name: string): string | undefined {
  return name.startsWith(GROUP) ? name.slice(GROUP.length) : undefined;
}

export function groupName(id: string): string {
  return GROUP + id;
}

/** Fields of a contact that a row can have, without groups and properties. */
export const FIELD_NAMES: readonly string[] = fieldsSetBy('updateContact').filter(
  (name) => CONTACT_FIELDS[name].type !== 'groups',
);

export function isIdentifier(field: string | null | undefined): field is 'email' | 'userId' {
  return field === 'email' || field === 'userId';
}
