import { BUILT_IN_PROPERTIES, CONTACT_FIELDS, fieldsSetBy, type PropertyType } from 'audience-core/internal';

/** Value of a field or a property in a request; `null` clears it. Dates are Unix seconds. */
export type Value = string | number | boolean | null;

/** What the service has beside the fields of every contact. */
export interface KnownProperties {
  readonly types: ReadonlyMap<string, PropertyType>;
  /** Whether `types` has all properties: then another name is an error. */
  readonly isComplete: boolean;
}

const GROUP = 'subscriptionGroups.';

/** The group of a flat name such as `subscriptionGroups.<id>`. */
export function groupOf(name: string): string | undefined {
  return name.startsWith(GROUP) ? name.slice(GROUP.length) : undefined;
}

export function groupName(id: string): string {
  return GROUP + id;
}

/** Types of the fields that a row can have, without groups and properties. */
const FIELD_TYPES: ReadonlyMap<string, PropertyType> = new Map(
  fieldsSetBy('updateContact').flatMap((name): [string, PropertyType][] => {
    const { type } = CONTACT_FIELDS[name];
    return type === 'groups' ? [] : [[name, type]];
  }),
);

/** The type of a field, group or known property; `undefined` for a property that is not known. */
export function typeOf(field: string, { types }: KnownProperties): PropertyType | undefined {
  return groupOf(field) === undefined ? (FIELD_TYPES.get(field) ?? types.get(field)) : 'boolean';
}

/** Whether a name is a field, a subscription group or a contact property that can be written. */
export function isField(name: string, known: KnownProperties): boolean {
  return !isReserved(name) && typeOf(name, known) !== undefined;
}

/** Whether no row can set it, and no property can have its name. */
export function isReserved(name: string): boolean {
  if (FIELD_TYPES.has(name) || groupOf(name) !== undefined) return false;
  const isBuiltIn = Object.hasOwn(BUILT_IN_PROPERTIES, name);
  return isBuiltIn || name.includes('.') || ['id', 'properties', 'subscriptionGroups'].includes(name);
}

export function isIdentifier(field: string | undefined): field is 'email' | 'userId' {
  return field === 'email' || field === 'userId';
}

/** Whether a field says who somebody is, and never who wants mail. */
export function isName(field: string | undefined): boolean {
  return isIdentifier(field) || field === 'firstName' || field === 'lastName';
}
