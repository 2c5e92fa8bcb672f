const REDACTED = '[redacted]';
/** Shorter secrets are words of other texts: `test` is in `test@example.com`. */
const SHORTEST_SECRET = 8;
/** Control characters could move a cursor, or forge a line of a log. */
const UNPRINTABLE = /\p{Cc}+/gu;

/** Replaces secrets in a text from outside. */
export type Redactor = (text: string) => string;

/** Makes a function that replaces secrets, as they are and as a URL or JSON has them, and control characters in a text. */
export function createRedactor(secrets: readonly string[]): Redactor {
  const forms = secrets
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .flatMap((secret) => {
      const json = JSON.stringify(secret).slice(1, -1);
      return [secret, encodeURIComponent(secret), json, json.replaceAll('/', String.raw`\/`)];
    })
    // The longest first, so that no part of a secret stays behind a shorter one.
    .sort((a, b) => b.length - a.length);
  return (text) =>
    forms.reduce((redacted, form) => redacted.replaceAll(form, REDACTED), text).replace(UNPRINTABLE, ' ');
}
