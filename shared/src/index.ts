export * from './exports.js';
export { AudienceClient, type AudienceClientOptions } from './client/audience-client.js';
