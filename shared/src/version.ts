/** Version of this package, kept by `npm run project`. */
export const VERSION = '0.1.0';
