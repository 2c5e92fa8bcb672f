import { isRecord } from 'audience-core/internal';
import type { Profile } from '../profile.js';

/** The response to a call of the service. */
export interface ServiceResponse {
  readonly status: number;
  /** Body as JSON, or as text; `undefined` for none. */
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** The response to a successful call, as a service of that profile gives it. */
export function successResponse({ unset }: Profile, body: unknown): ServiceResponse {
  return { status: 200, body: unset === null ? body : withoutNull(body), headers: {} };
}

function withoutNull(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNull);
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutNull(inner)]));
}

/** `Retry-After`, given in seconds, as a service of that profile sends it. A date is one of the machine's time. */
export function retryAfterHeader({ retryAfter }: Profile, seconds: number): Record<string, string> {
  if (retryAfter === 'omitted') return {};
  // A date has no fractions of a second: rounded up, as the wait must not become shorter.
  const date = new Date(Math.ceil(Date.now() / 1000 + seconds) * 1000);
  return { 'Retry-After': retryAfter === 'date' ? date.toUTCString() : String(seconds) };
}
