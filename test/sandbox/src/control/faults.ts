import { newFaultSchema } from '../faults/fault.js';
import { rateLimitSchema } from '../faults/rate-limit.js';
import { SandboxError } from '../sandbox-error.js';
import { controlEndpoint } from './endpoint.js';

export const faultEndpoints = [
  controlEndpoint('GET /faults', {}, ({ sandbox }) => sandbox.faults.list()),
  controlEndpoint('POST /faults', { body: newFaultSchema }, ({ sandbox, body }) => sandbox.faults.next(body)),
  controlEndpoint('DELETE /faults/{id}', {}, ({ sandbox, id }) => {
    if (!sandbox.faults.remove(id)) throw new SandboxError({ code: 'no_fault', id }, 404);
  }),
  controlEndpoint('DELETE /faults', {}, ({ sandbox }) => sandbox.faults.clear()),
  controlEndpoint('GET /rate-limit', {}, ({ sandbox }) => ({ rateLimit: sandbox.rateLimiter.limit ?? null })),
  controlEndpoint('PUT /rate-limit', { body: rateLimitSchema }, ({ sandbox, body }) => {
    sandbox.limitRate(body);
    return { rateLimit: body };
  }),
  controlEndpoint('DELETE /rate-limit', {}, ({ sandbox }) => sandbox.limitRate(undefined)),
];
