import * as z from 'zod';
import { clockChangeSchema } from '../clock.js';
import type { Sandbox } from '../sandbox.js';
import { controlEndpoint } from './endpoint.js';

const tag = 'clock';
const clockSchema = z.object({ time: z.string(), stopped: z.boolean() });

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
    body: clockChangeSchema,
    response: clockSchema,
  },
  ({ sandbox, body }) => {
    sandbox.changeClock(body);
    return view(sandbox);
  },
);

function view({ clock }: Sandbox) {
  return { time: clock.timestamp(), stopped: clock.stopped };
}
