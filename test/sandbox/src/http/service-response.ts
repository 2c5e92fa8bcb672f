import { isRecord, type OperationId } from 'audience-core/internal';
import type { Profile } from '../profile.js';
import type { SandboxError } from '../sandbox-error.js';

/** The response to a call of the service. */
export interface ServiceResponse {
  readonly status: number;
  /** Body as JSON, or as text; `undefined` for none. */
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** Fields that the interface does not know, under names that no custom property can have. */
const FURTHER_FIELDS = { _revision: 7, _links: { self: null, related: [] } };

/** The response to a call that was carried out, as a service of that profile gives it. */
export function successResponse(
  profile: Profile,
  operationId: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): ServiceResponse {
  return { status: 200, body: shape(profile, operationId, body), headers };
}

const UPDATE: OperationId = 'updateContact';

function shape(profile: Profile, operationId: string, body: unknown): unknown {
  if (Array.isArray(body)) return body.map((item) => shape(profile, operationId, item));
  if (!isRecord(body)) return body;
  const { pagination, data } = body;
  if (isRecord(pagination)) {
    return thing(profile, { pagination: page(profile, pagination), data: shape(profile, operationId, data) });
  }
  const { id: _id, ...withoutId } = body;
  return thing(profile, operationId === UPDATE && profile.updateId === 'omitted' ? withoutId : body);
}

function page(profile: Profile, { nextCursor, nextPage, ...totals }: Fields): Fields {
  const shaped = thing(profile, totals);
  if (nextCursor !== null) return { ...shaped, nextCursor, nextPage };
  switch (profile.lastCursor) {
    case null:
      return { ...shaped, nextCursor, nextPage };
    case 'empty':
      return { ...shaped, nextCursor: '' };
    case 'omitted':
      return shaped;
  }
}

function thing(profile: Profile, fields: Fields): Fields {
  if (profile.unset === null && profile.furtherFields === 'omitted') return fields;
  const kept = Object.entries(fields).filter(([, value]) => value !== null || profile.unset === null);
  return { ...Object.fromEntries(kept), ...(profile.furtherFields === 'given' ? FURTHER_FIELDS : {}) };
}

/** The response to a call that was not carried out, as a service of that profile gives it. */
export function refusalResponse(
  profile: Profile,
  operation: { readonly method: string } | undefined,
  error: SandboxError,
  byAccount: boolean,
): ServiceResponse {
  const { status, message } = error;
  if (byAccount && profile.refusal === 'success-false' && operation?.method !== 'GET') {
    return { status: 200, body: { success: false, ...structured(profile, message) }, headers: {} };
  }
  return { status, body: errorBody(profile, message), headers: error.headers };
}

function errorBody(profile: Profile, message: string): unknown {
  switch (profile.errorBody) {
    case 'message':
      return { success: false, message };
    case 'text':
      return message;
    case 'none':
      return undefined;
    default:
      return structured(profile, message);
  }
}

function structured({ errorBody: kind }: Profile, message: string): Fields {
  switch (kind) {
    case 'message':
      return { message };
    case 'error':
      return { error: message };
    case 'errors':
      return { errors: [{ message }] };
    default:
      return {};
  }
}

/** `Retry-After`, given in seconds, as a service of that profile sends it. A date is one of the machine's time. */
export function retryAfterHeader({ retryAfter }: Profile, seconds: number): Record<string, string> {
  if (retryAfter === 'omitted') return {};
  // A date has no fractions of a second: rounded up, as the wait must not become shorter.
  const date = new Date(Math.ceil(Date.now() / 1000 + seconds) * 1000);
  return { 'Retry-After': retryAfter === 'date' ? date.toUTCString() : String(seconds) };
}

type Fields = Readonly<Record<string, unknown>>;
