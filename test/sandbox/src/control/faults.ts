import * as z from 'zod';
import { faultSchema, newFaultSchema } from '../faults/fault.js';
import { rateLimitSchema } from '../faults/rate-limit.js';
import { Problem } from '../service/problem.js';
import { controlEndpoint } from './endpoint.js';
import { doneSchema } from './page.js';

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
  ({ sandbox, body }) => sandbox.faults.next(body()),
);

export const removeFault = controlEndpoint(
  {
    operationId: 'removeFault',
    method: 'DELETE',
    path: '/faults/{id}',
    tag,
    idOf: 'the fault',
    summary: 'Take a fault back',
    response: doneSchema,
  },
  ({ sandbox, id }) => {
    if (!sandbox.faults.remove(id)) {
      throw new Problem(404, `There is no fault '${id}'. It may have hit all the calls it was set for.`);
    }
    return { success: true as const };
  },
);

export const clearFaults = controlEndpoint(
  {
    operationId: 'clearFaults',
    method: 'DELETE',
    path: '/faults',
    tag,
    summary: 'Take all faults back',
    response: doneSchema,
  },
  ({ sandbox }) => {
    sandbox.faults.clear();
    return { success: true as const };
  },
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
    sandbox.limitRate(body());
    return { rateLimit: body() };
  },
);

export const liftRateLimit = controlEndpoint(
  {
    operationId: 'liftRateLimit',
    method: 'DELETE',
    path: '/rate-limit',
    tag,
    summary: 'Lift the rate limit',
    response: doneSchema,
  },
  ({ sandbox }) => {
    sandbox.limitRate(undefined);
    return { success: true as const };
  },
);
