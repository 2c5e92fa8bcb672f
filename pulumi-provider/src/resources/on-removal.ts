/** What is done with a contact that leaves the program. */
export const ON_REMOVAL = ['retain', 'unsubscribe', 'clear'] as const;

/** One of `retain`, `unsubscribe`, `clear`. */
export type OnRemoval = (typeof ON_REMOVAL)[number];
