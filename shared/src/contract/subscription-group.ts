/** A subscription group, as listed (interface: Subscription group). */
export interface SubscriptionGroup {
  id: string;
  name: string;
  description?: string | null | undefined;
  [field: string]: unknown;
}
