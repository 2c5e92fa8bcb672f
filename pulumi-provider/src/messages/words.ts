import { digits } from 'audience-core/internal';

/** A contact by its declared identifiers. */
export interface Named {
  readonly email?: string | undefined;
  readonly userId?: string | undefined;
}

/** A fact as a sentence shows it. */
export function wordFact(value: unknown): string {
  if (typeof value === 'number') return digits(value);
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value !== 'object' || value === null) return String(value);
  return nameOf(value);
}

/** `'ada@example.com' (userId 'user-1')`. */
export function nameOf({ email, userId }: Named): string {
  if (email === undefined) return `'${userId ?? ''}'`;
  return userId === undefined ? `'${email}'` : `'${email}' (userId '${userId}')`;
}

/** The first ones, and how many more there are. */
export function limited(texts: readonly string[], most = 7, all = texts.length): string[] {
  const shown = texts.slice(0, most);
  const rest = all - shown.length;
  return rest <= 0 ? shown : [...shown, `and ${digits(rest)} more`];
}
