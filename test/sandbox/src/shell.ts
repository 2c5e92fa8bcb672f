/** A value for a shell, as it is: in single quotes nothing has a meaning but the quote itself. */
export function quoted(value: string): string {
  return /^[\w.:/@-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;
}
