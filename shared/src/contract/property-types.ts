/**
 * Types that a custom property can have (interface: Data types for custom property values). A `date` is
 * written as Unix time in whole seconds.
 */
export const PROPERTY_TYPES = ['string', 'number', 'boolean', 'date'] as const;

/** One of `string`, `number`, `boolean`, `date`. */
export type PropertyType = (typeof PROPERTY_TYPES)[number];

/** Value of a custom property on the wire: text, a finite number, a boolean, or Unix seconds for a date. */
export type PropertyValue = string | number | boolean;
