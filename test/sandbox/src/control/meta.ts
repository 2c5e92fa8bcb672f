import { isLocal } from '../http/guard.js';
import { controlEndpoint, RESPONDED } from './endpoint.js';
import { follow } from './stream.js';

export const metaEndpoints = [
  controlEndpoint('GET /status', {}, ({ sandbox, message }) => {
    const { account, clock, faults, rateLimiter, profile } = sandbox;
    let unread = 0;
    for (const email of account.emails.values()) if (!email.read) unread += 1;
    return {
      // Only this machine may know it.
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
  }),
  controlEndpoint('GET /stream', {}, ({ sandbox, response }) => {
    follow(sandbox, response);
    return RESPONDED;
  }),
];
