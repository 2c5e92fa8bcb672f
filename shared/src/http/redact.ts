const REDACTED = '[redacted]';

/** Replaces secrets in a text from outside. */
export type Redactor = (text: string) => string;

/**
 * Makes the one function through which every text from outside goes before it becomes part of an error. It
 * replaces each secret, plain, percent-encoded, JSON-escaped or in base64.
 */
export function createRedactor(secrets: readonly string[]): Redactor {
  const forms = new Set(secrets.filter((secret) => secret !== '').flatMap(formsOf));
  // The longest first, so that no part of a secret stays behind a shorter one.
  const ordered = [...forms].sort((a, b) => b.length - a.length);
  return (text) => ordered.reduce((redacted, form) => redacted.replaceAll(form, REDACTED), text);
}

function formsOf(secret: string): string[] {
  const base64 = Buffer.from(secret, 'utf8').toString('base64');
  return [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    base64,
    base64.replace(/=+$/, ''),
  ];
}
