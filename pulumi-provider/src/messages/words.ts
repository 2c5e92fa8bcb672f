/** A contact by its declared identifiers. */
export interface Named {
  readonly email?: string | undefined;
  readonly userId?: string | undefined;
}

/** Why a request failed, without a word of the person's data. */
export interface Cause {
  readonly error: string;
  /** Status of the response, or the network's code. */
  readonly detail?: string | number | undefined;
  /** The service's own words. */
  readonly says?: string | undefined;
}

/** Puts facts into a sentence. */
export function fill(sentence: string, facts: object): string {
  const values = new Map<string, unknown>(Object.entries(facts));
  return sentence.replaceAll(/\{(\w+)([!:?]?)([^}]*)\}/g, (_, name: string, kind: string, rest: string) => {
    const value = values.get(name);
    if (kind === '!') return quoted(value);
    if (kind === '?') return rest.split('/')[value === 1 ? 0 : 1] ?? '';
    // `{names: kept}` says the same of each name.
    if (kind === ':' && Array.isArray(value)) return value.map((one) => `${String(one)}:${rest}`).join('; ');
    return kind === ':' ? counted(Number(value), rest) : worded(value);
  });
}

function worded(value: unknown): string {
  if (typeof value === 'number') return digits(value);
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value !== 'object' || value === null) return String(value);
  return isCause(value) ? causeText(value) : nameOf(value);
}

/** Ends in a period, unless it ends in another mark: a text to copy does. */
export function sentence(text: string): string {
  return /[.?!,:]$/.test(text) ? text : `${text}.`;
}

/** `1 row`, `3,000 rows`. */
export function counted(number: number, noun: string): string {
  return `${digits(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** `'ada@example.com' (userId 'user-1')`. */
export function nameOf({ email, userId }: Named): string {
  if (email === undefined) return `'${userId ?? ''}'`;
  return userId === undefined ? `'${email}'` : `'${email}' (userId '${userId}')`;
}

/** Texts by the name of an error of the core. */
const CAUSES: Readonly<Record<string, string>> = {
  AbortedError: 'the run was cancelled',
  AuthenticationError: 'the service does not accept the API key',
  PermissionError: 'the API key is not allowed to do this',
  NotFoundError: 'the contact does not exist',
  RateLimitError: 'the service receives too many requests',
  ServerError: 'the service failed',
  NetworkError: 'the service cannot be reached',
  TimeoutError: 'the service did not respond in time',
  InvalidRequestError: 'the service refuses these values',
  UnexpectedResponseError: 'the service gave a response that its API does not describe',
};

function isCause(value: object): value is Cause {
  return 'error' in value;
}

function causeText({ error, detail, says }: Cause): string {
  const what =
    CAUSES[error] ?? 'the service refuses this. Check whether another contact has the email or userId';
  return `${what}${detail === undefined ? '' : ` (${detail})`}${says === undefined ? '' : `: "${says}"`}`;
}

/** `'a', 'b' and 3 more`. */
export function quoted(names: unknown): string {
  const list = Array.isArray(names) ? names.map((name) => `'${String(name)}'`) : [];
  return list.length === 0 ? 'none' : listed(list, 12);
}

export function digits(number: number): string {
  return number.toLocaleString('en');
}

/** `a, b and 3 more`. */
export function listed(texts: readonly string[], most: number): string {
  const shown = texts.slice(0, most);
  const rest = texts.length - shown.length;
  return shown.join(', ') + (rest > 0 ? ` and ${digits(rest)} more` : '');
}

/** The first ones, and how many more there are. */
export function limited(texts: readonly string[], most = 7, all = texts.length): string[] {
  const shown = texts.slice(0, most);
  const rest = all - shown.length;
  return rest <= 0 ? shown : [...shown, `and ${digits(rest)} more`];
}
