import * as z from 'zod';
import { Problem } from '../service/problem.js';
import type { Sandbox } from '../sandbox.js';
import { timestampSchema } from '../seed/schema.js';
import { controlEndpoint } from './endpoint.js';

const tag = 'clock';
const clockSchema = z.object({ time: z.string(), stopped: z.boolean() });

/** Farthest the clock can be moved, in milliseconds: a thousand years. */
const FARTHEST = 1000 * 365 * 24 * 60 * 60 * 1000;

export const getClock = controlEndpoint(
  {
    operationId: 'getClock',
    method: 'GET',
    path: '/clock',
    tag,
    summary: "Read the sandbox's clock",
    response: clockSchema,
  },
  ({ sandbox }) => view(sandbox),
);

export const setClock = controlEndpoint(
  {
    operationId: 'setClock',
    method: 'PUT',
    path: '/clock',
    tag,
    summary: "Move the sandbox's clock, stop it or let it run on",
    body: z.strictObject({
      time: timestampSchema.optional().describe('The time to set, ISO 8601 in UTC.'),
      advanceMs: z
        .int()
        .min(-FARTHEST)
        .max(FARTHEST)
        .optional()
        .describe('How far to move the time, in milliseconds; negative goes back.'),
      stopped: z.boolean().optional().describe('Whether time stands still.'),
    }),
    response: clockSchema,
  },
  ({ sandbox, body }) => {
    const { time, advanceMs, stopped } = body();
    const target = (time === undefined ? sandbox.clock.now() : Date.parse(time)) + (advanceMs ?? 0);
    if (Math.abs(target) > FARTHEST) throw new Problem(400, 'The clock cannot be moved that far from 1970.');
    sandbox.moveClock((clock) => {
      if (stopped !== undefined) clock.stop(stopped);
      if (time !== undefined || advanceMs !== undefined) clock.set(target);
    });
    return view(sandbox);
  },
);

function view({ clock }: Sandbox) {
  return { time: clock.timestamp(), stopped: clock.stopped };
}
