export * from './exports.js';
export { AudienceClient } from './client/audience-client.js';
export type { AudienceClientOptions } from './client/audience-client.js';
export { DIAGNOSTICS_CHANNELS } from './http/node-runtime.js';
export type { DiagnosticsEvent } from './http/runtime.js';
