export * from './exports.js';
export { AudienceClient } from './client/audience-client.js';
export type { AudienceClientOptions } from './client/audience-client.js';
