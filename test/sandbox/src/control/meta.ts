import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { rateLimitSchema } from '../faults/rate-limit.js';
import { isLocal } from '../http/guard.js';
import { profileSchema } from '../profile.js';
import { controlEndpoint, endpoints } from './endpoint.js';
import { follow } from './stream.js';

const serviceDocumentSchema = z.record(z.string(), z.unknown());

export const metaEndpoints = endpoints('meta', {
  getStatus: controlEndpoint(
    'GET /status',
    'How the sandbox stands: key, counts, faults, profile, time',
    {
      response: z.object({
        /** Null for a request from another machine. */
        apiKey: z.nullable(z.string()),
        time: z.string(),
        stopped: z.boolean(),
        counts: z.object({
          emails: z.int(),
          unread: z.int(),
          events: z.int(),
          contacts: z.int(),
          properties: z.int(),
          requests: z.int(),
          keys: z.int(),
          faults: z.int(),
        }),
        rateLimit: z.nullable(rateLimitSchema),
        profile: profileSchema,
      }),
    },
    ({ sandbox, message }) => {
      const { account, clock, faults, rateLimiter, profile } = sandbox;
      let unread = 0;
      for (const email of account.emails.values()) if (!email.read) unread += 1;
      return {
        apiKey: isLocal(message) ? sandbox.apiKey : null,
        time: clock.timestamp(),
        stopped: clock.stopped,
        counts: {
          emails: account.emails.size,
          unread,
          events: account.events.size,
          contacts: account.contacts.size,
          properties: account.properties.size,
          requests: account.requests.size,
          keys: account.keys.size,
          faults: faults.list().length,
        },
        rateLimit: rateLimiter.limit ?? null,
        profile,
      };
    },
  ),
  getServiceDocument: controlEndpoint(
    'GET /service-openapi.json',
    'OpenAPI document of the service',
    { response: serviceDocumentSchema },
    () =>
      serviceDocumentSchema.parse(
        JSON.parse(readFileSync(require.resolve('audience-core/openapi.json'), 'utf8')),
      ),
  ),
  followChanges: controlEndpoint(
    'GET /stream',
    'Server-Sent Events that tell what kinds of things have changed',
    {
      response: { mediaType: 'text/event-stream', description: 'Events named change, with a list of kinds.' },
    },
    ({ sandbox, response }) => {
      follow(sandbox, response);
      return undefined;
    },
  ),
});
