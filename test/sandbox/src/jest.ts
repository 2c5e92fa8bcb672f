import { matchers } from './matchers.js';

/** That of jest, which is there in its set-up files without an import. */
declare const expect: { extend(matchers: object): void };

expect.extend(matchers);
