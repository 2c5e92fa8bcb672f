/** HTTP methods that an endpoint can have. */
export type HttpMethod = 'GET' | 'POST' | 'PUT';

/** Types of custom properties (interface: Data types for custom property values). A `date` is Unix time in seconds. */
export const PROPERTY_TYPES = ['string', 'number', 'boolean', 'date'] as const;

/** One of `string`, `number`, `boolean`, `date`. */
export type PropertyType = (typeof PROPERTY_TYPES)[number];
