import * as z from 'zod/mini';
import { faultSchema, newFaultSchema } from '../faults/fault.js';
import { rateLimitSchema } from '../faults/rate-limit.js';
import { SandboxError } from '../sandbox-error.js';
import { actionEndpoint, controlEndpoint, endpoints } from './endpoint.js';

const rateLimitResponse = z.object({ rateLimit: z.nullable(rateLimitSchema) });

export const faultEndpoints = endpoints('faults', {
  listFaults: controlEndpoint(
    'GET /faults',
    'List the faults that are set',
    { response: z.array(faultSchema) },
    ({ sandbox }) => sandbox.faults.list(),
  ),
  setFault: controlEndpoint(
    'POST /faults',
    'Make the next calls go wrong',
    { body: newFaultSchema, response: faultSchema },
    ({ sandbox, body }) => sandbox.faults.next(body),
  ),
  removeFault: actionEndpoint(
    'DELETE /faults/{id}',
    'Remove a fault',
    { idOf: 'the fault' },
    ({ sandbox, id }) => {
      if (!sandbox.faults.remove(id)) {
        throw new SandboxError({ code: 'no_fault', id }, 404);
      }
    },
  ),
  clearFaults: actionEndpoint('DELETE /faults', 'Remove all faults', {}, ({ sandbox }) =>
    sandbox.faults.clear(),
  ),
  getRateLimit: controlEndpoint(
    'GET /rate-limit',
    'Read the rate limit',
    { response: rateLimitResponse },
    ({ sandbox }) => ({ rateLimit: sandbox.rateLimiter.limit ?? null }),
  ),
  setRateLimit: controlEndpoint(
    'PUT /rate-limit',
    'Set the rate limit, and allow a full burst at once',
    { body: rateLimitSchema, response: rateLimitResponse },
    ({ sandbox, body }) => {
      sandbox.limitRate(body);
      return { rateLimit: body };
    },
  ),
  liftRateLimit: actionEndpoint('DELETE /rate-limit', 'Lift the rate limit', {}, ({ sandbox }) =>
    sandbox.limitRate(undefined),
  ),
});
