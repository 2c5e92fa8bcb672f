/** A reason as a sentence of its own. */
export function sentence(reason: string): string {
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
}

/** `1 contact`, `3,000 contacts`. */
export function contactsOf(number: number): string {
  return `${digits(number)} contact${number === 1 ? '' : 's'}`;
}

/** `3,000`. */
export function digits(number: number): string {
  return number.toLocaleString('en');
}
