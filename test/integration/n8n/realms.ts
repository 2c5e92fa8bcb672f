declare global {
  var realms: readonly (typeof globalThis)[] | undefined;
}

/** Globals of the tests, and those of n8n with our node, which jest loads beside them (test/environment.js). */
export const realms = globalThis.realms ?? [globalThis];
