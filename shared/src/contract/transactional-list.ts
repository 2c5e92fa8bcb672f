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

/** Where a page stands in the whole list (interface: Pagination object). */
export interface Pagination {
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
}

/** One page of transactional emails. */
export interface TransactionalEmailPage {
  pagination: Pagination;
  data: TransactionalEmail[];
}

/** Query of the list of transactional emails. */
export interface ListTransactionalEmailsQuery {
  /** Items per page, 10 to 50; 20 unless given. */
  perPage?: number | undefined;
  /** `nextCursor` of the page before. */
  cursor?: string | undefined;
}
