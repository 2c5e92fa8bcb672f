import type { PropertyType } from './property-types.js';

/** A contact property, as listed (interface: Contact property). */
export interface ContactProperty {
  /** camelCase name; the top-level field on contacts. */
  key: string;
  /** Human-readable label. */
  label?: string | null | undefined;
  type: PropertyType;
  [field: string]: unknown;
}

/** Query of the list of contact properties: `list` is `all` (unless given) or `custom`. */
export interface ListContactPropertiesQuery {
  /** `all` (unless given): every property; `custom`: only those that the account's people made. */
  list?: 'all' | 'custom' | undefined;
}

/** A custom contact property to create (interface: POST /v1/contacts/properties). */
export interface NewContactProperty {
  /** camelCase, neither reserved nor built in. */
  name: string;
  /** `string`, `number`, `boolean` or `date`; it can never be changed. */
  type: PropertyType;
}
