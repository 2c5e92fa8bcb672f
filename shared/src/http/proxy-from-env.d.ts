/** The package has no types. */
declare module 'proxy-from-env' {
  /** Address of the proxy for an address, or an empty text. */
  export function getProxyForUrl(url: string): string;
}
