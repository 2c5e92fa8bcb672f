import * as z from 'zod';
import { faultSchema, newFaultSchema } from '../faults/fault.js';
import { rateLimitSchema } from '../faults/rate-limit.js';
import { Problem } from '../service/problem.js';
import { actionEndpoint, controlEndpoint } from './endpoint.js';

const tag = 'faults';

export const listFaults = controlEndpoint(
  {
    operationId: 'listFaults',
    method: 'GET',
    path: '/faults',
    tag,
    summary: 'List the faults that are set',
    response: z.array(faultSchema),
  },
  ({ sandbox }) => sandbox.faults.list(),
);

export const setFault = controlEndpoint(
  {
    operationId: 'setFault',
    method: 'POST',
    path: '/faults',
    tag,
    summary: 'Make the next calls go wrong',
    body: newFaultSchema,
    response: faultSchema,
  },
  ({ sandbox, body }) => sandbox.faults.next(body),
);

export const removeFault = actionEndpoint(
  {
    operationId: 'removeFault',
    method: 'DELETE',
    path: '/faults/{id}',
    tag,
    idOf: 'the fault',
    summary: 'Take a fault back',
  },
  ({ sandbox, id }) => {
    if (!sandbox.faults.remove(id)) {
      throw new Problem(404, `There is no fault '${id}'. It may have hit all the calls it was set for.`);
    }
  },
);

export const clearFaults = actionEndpoint(
  {
    operationId: 'clearFaults',
    method: 'DELETE',
    path: '/faults',
    tag,
    summary: 'Take all faults back',
  },
  ({ sandbox }) => sandbox.faults.clear(),
);

const rateLimitResponse = z.object({ rateLimit: rateLimitSchema.nullable() });

export const getRateLimit = controlEndpoint(
  {
    operationId: 'getRateLimit',
    method: 'GET',
    path: '/rate-limit',
    tag,
    summary: 'Read the rate limit',
    response: rateLimitResponse,
  },
  ({ sandbox }) => ({ rateLimit: sandbox.rateLimiter.limit ?? null }),
);

export const setRateLimit = controlEndpoint(
  {
    operationId: 'setRateLimit',
    method: 'PUT',
    path: '/rate-limit',
    tag,
    summary: 'Set the rate limit, with a full bucket',
    body: rateLimitSchema,
    response: rateLimitResponse,
  },
  ({ sandbox, body }) => {
    sandbox.limitRate(body);
    return { rateLimit: body };
  },
);

export const liftRateLimit = actionEndpoint(
  {
    operationId: 'liftRateLimit',
    method: 'DELETE',
    path: '/rate-limit',
    tag,
    summary: 'Lift the rate limit',
  },
  ({ sandbox }) => sandbox.limitRate(undefined),
);
