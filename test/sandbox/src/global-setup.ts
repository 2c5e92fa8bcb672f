import { globalSetup } from './sandbox-of-run.js';

// Jest and vitest want the module itself to be the function.
export = globalSetup;
