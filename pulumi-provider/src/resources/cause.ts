import type { AudienceError } from 'audience-core';
import type { Cause } from '../messages.js';

/** Why a request failed. The service's own words are left out unless `values` are, which must not be shown in them. */
export function causeOf(error: AudienceError, values?: readonly unknown[]): Cause {
  const { code, status, networkCode, serviceMessage } = error;
  const detail = code === 'timeout' || code === 'aborted' ? undefined : (networkCode ?? status);
  if (values === undefined || !isRefusal(error) || serviceMessage === undefined)
    return { error: code, detail };
  // Short texts do not identify a contact.
  const texts = values.flatMap((value) =>
    typeof value === 'string' && value.length > 2 ? [value, encodeURIComponent(value)] : [],
  );
  return {
    error: code,
    detail,
    says: texts.reduce((text, value) => text.replaceAll(value, '…'), serviceMessage),
  };
}

/** Whether the service refuses the content of a request. */
export function isRefusal({ code }: AudienceError): boolean {
  return !NOT_REFUSED.includes(code);
}

/** Codes of errors that say nothing of the request's content. */
const NOT_REFUSED: readonly string[] = [
  'aborted',
  'authentication',
  'permission',
  'not_found',
  'rate_limit',
  'server',
  'network',
  'timeout',
];
