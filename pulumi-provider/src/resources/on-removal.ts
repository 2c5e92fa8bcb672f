/** What is done with a contact that leaves the program. */
export const ON_REMOVAL = ['retain', 'unsubscribe', 'clear'] as const;

/** What those who leave the program would do. */
export const LEAVERS = {
  retain: 'stay as they are',
  unsubscribe: 'be unsubscribed for good',
  clear: 'lose the values that were declared',
} as const satisfies Record<OnRemoval, string>;

/** Follows 'stay' or 'stays', of contacts that leave the program and nothing is taken from. */
export const IN_THE_SERVICE =
  "in the service, which has no call to delete one. Set onRemove to 'unsubscribe' or 'clear' for more.";

/** One of `retain`, `unsubscribe`, `clear`. */
export type OnRemoval = (typeof ON_REMOVAL)[number];
