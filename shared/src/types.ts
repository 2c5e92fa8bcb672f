/** HTTP methods that an endpoint can have. */
export type HttpMethod = 'GET' | 'POST' | 'PUT';

/** Types of custom properties (interface: Data types for custom property values). A `date` is Unix time in seconds. */
export const PROPERTY_TYPES = ['string', 'number', 'boolean', 'date'] as const;

/** One of `string`, `number`, `boolean`, `date`. */
export type PropertyType = (typeof PROPERTY_TYPES)[number];

/** Value of a custom property on the wire: text, a finite number, a boolean, or Unix seconds for a date. */
export type PropertyValue = string | number | boolean;

/** A contact property, as listed (interface: Contact property). */
export interface ContactProperty {
  /** camelCase name; the top-level field on contacts. */
  key: string;
  /** Human-readable label. */
  label?: string | null | undefined;
  type: PropertyType;
  [field: string]: unknown;
}

/** A subscription group, as listed (interface: Subscription group). */
export interface SubscriptionGroup {
  id: string;
  name: string;
  description?: string | null | undefined;
  [field: string]: unknown;
}

/** Bounds of `perPage` (interface: Limits). */
export const PER_PAGE = { min: 10, max: 50, default: 20 } as const;

/** A transactional email design, as listed (interface: Transactional email). */
export interface TransactionalEmail {
  /** Identifier of the design; `transactionalId` when sending. */
  id: string;
  /** Display name. */
  name: string;
  /** ISO 8601 UTC timestamp. */
  lastUpdated: string;
  /** Names of the variables that the design expects. */
  dataVariables: string[];
  [field: string]: unknown;
}

/** One page of transactional emails. */
export interface TransactionalEmailPage {
  /** Where the page stands in the whole list (interface: Pagination object). */
  pagination: {
    /** Total number of items. */
    totalResults: number;
    /** Items in this page. */
    returnedResults: number;
    /** Page size used. */
    perPage: number;
    /** Number of pages. */
    totalPages: number;
    /** Cursor of the next page; absent, null or empty on the last one. */
    nextCursor?: string | null | undefined;
    /** Ready-made URL of the next page. */
    nextPage?: string | null | undefined;
    [field: string]: unknown;
  };
  data: TransactionalEmail[];
}

/** Query of the list of transactional emails. */
export interface ListTransactionalEmailsQuery {
  /** Items per page, 10 to 50; 20 unless given. */
  perPage?: number | undefined;
  /** `nextCursor` of the page before. */
  cursor?: string | undefined;
}

/** Any value that JSON can say. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue | undefined };

/** Members of objects that are no data, such as a promise, a function, a regular expression, a date or a map. */
export interface NoData {
  readonly then?: never;
  readonly apply?: never;
  readonly exec?: never;
  readonly toJSON?: never;
  readonly [Symbol.toPrimitive]?: never;
  readonly [Symbol.toStringTag]?: never;
}

/** An object or list of data: an `interface` fits as an object, and a literal as a record. */
export type DataObject = NoData & (object | Readonly<Record<string, unknown>>);

/**
 * Variables of an email, or properties of an event, by name: a literal, a stored object, an `interface`, or a type
 * parameter. Each value is one that JSON can say, or `undefined`; any other is refused by its name before it is sent.
 */
export type DataVariables = DataObject & { readonly [Symbol.iterator]?: never };

/** A value that JSON can say. The type looks at the first level, so that an `interface` fits. */
export type Datum = string | number | boolean | null | DataObject;

/** Whether a schema is a declared one, with names that are known. */
export type IsDeclared<Schema> = string extends keyof Schema ? false : true;
