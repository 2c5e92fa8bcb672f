import { globalSetup } from '../global-setup.js';

// Jest wants the module itself to be the function.
export = globalSetup;
