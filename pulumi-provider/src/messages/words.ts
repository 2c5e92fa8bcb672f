import { digits, fill as fillWith } from 'audience-core/internal';

export { counted, digits, listed, quoted, sentence } from 'audience-core/internal';

/** A contact by its declared identifiers. */
export interface Named {
  readonly email?: string | undefined;
  readonly userId?: string | undefined;
}

/** Why a request failed, without personal data. */
export interface Cause {
  readonly error: string;
  /** Status of the response, or the network's code. */
  readonly detail?: string | number | undefined;
  /** The message in the response. */
  readonly says?: string | undefined;
}

/** Puts facts into a sentence. */
export function fill(sentence: string, facts: object): string {
  return fillWith(sentence, facts, worded);
}

function worded(value: unknown): string {
  if (typeof value === 'number') return digits(value);
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value !== 'object' || value === null) return String(value);
  return isCause(value) ? causeText(value) : nameOf(value);
}

/** `'ada@example.com' (userId 'user-1')`. */
export function nameOf({ email, userId }: Named): string {
  if (email === undefined) return `'${userId ?? ''}'`;
  return userId === undefined ? `'${email}'` : `'${email}' (userId '${userId}')`;
}

/** Texts by the name of an error of the core. */
const CAUSES: Readonly<Record<string, string>> = {
  AbortedError: 'the run was cancelled',
  AuthenticationError: 'we assume that the service does not accept the API key',
  PermissionError: 'we assume that the API key is not allowed to do this',
  NotFoundError: 'we assume that the contact does not exist',
  RateLimitError: 'we assume that the service receives too many requests',
  ServerError: 'the service failed',
  NetworkError: 'the service cannot be reached',
  TimeoutError: 'the service did not respond in time',
  InvalidRequestError: 'the service refuses these values',
  UnexpectedResponseError: 'the response is not what the API describes',
};

function isCause(value: object): value is Cause {
  return 'error' in value;
}

function causeText({ error, detail, says }: Cause): string {
  const what =
    CAUSES[error] ?? 'the service refuses the request. Check whether another contact has the email or userId';
  return `${what}${detail === undefined ? '' : ` (${detail})`}${says === undefined ? '' : `: "${says}"`}`;
}

/** The first ones, and how many more there are. */
export function limited(texts: readonly string[], most = 7, all = texts.length): string[] {
  const shown = texts.slice(0, most);
  const rest = all - shown.length;
  return rest <= 0 ? shown : [...shown, `and ${digits(rest)} more`];
}
