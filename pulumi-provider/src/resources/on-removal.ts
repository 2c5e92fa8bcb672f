/** What is done with a contact that leaves the program. */
export const ON_REMOVAL = ['retain', 'unsubscribe', 'clear'] as const;

/** Follows 'stay' or 'stays', of contacts that leave the program and nothing is taken from. */
export const IN_THE_SERVICE =
  "in the service, which has no call to delete one. Set onRemove to 'unsubscribe' or 'clear' for more.";

/** One of `retain`, `unsubscribe`, `clear`. */
export type OnRemoval = (typeof ON_REMOVAL)[number];
