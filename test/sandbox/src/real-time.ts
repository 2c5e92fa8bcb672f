import { clearInterval, clearTimeout, setImmediate, setInterval, setTimeout } from 'node:timers';

/** The timers of Node, as they were before a test runner put fake ones in their places. */
export const realTime = { clearInterval, clearTimeout, setImmediate, setInterval, setTimeout };
