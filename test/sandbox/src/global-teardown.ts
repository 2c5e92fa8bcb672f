import { globalTeardown } from './sandbox-of-run.js';

// Jest wants the module itself to be the function.
export = globalTeardown;
