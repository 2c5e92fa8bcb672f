export const PACKAGE = 'audience';

/** Token of a type or a function: `audience:index:ContactProperty`. */
export function tokenOf(name: string, kind: 'type' | 'function'): string {
  return `${PACKAGE}:index:${kind === 'type' ? name.charAt(0).toUpperCase() + name.slice(1) : name}`;
}
