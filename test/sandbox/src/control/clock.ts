import * as z from 'zod/mini';
import { clockChangeSchema } from '../clock.js';
import type { Sandbox } from '../sandbox.js';
import { controlEndpoint, endpoints } from './endpoint.js';

const clockSchema = z.object({ time: z.string(), stopped: z.boolean() });

function view({ clock }: Sandbox) {
  return { time: clock.timestamp(), stopped: clock.stopped };
}

export const clockEndpoints = endpoints('clock', {
  getClock: controlEndpoint(
    'GET /clock',
    "Read the sandbox's clock",
    { response: clockSchema },
    ({ sandbox }) => view(sandbox),
  ),
  setClock: controlEndpoint(
    'PUT /clock',
    "Move the sandbox's clock, stop it or let it run on",
    { body: clockChangeSchema, response: clockSchema },
    ({ sandbox, body }) => {
      sandbox.changeClock(body);
      return view(sandbox);
    },
  ),
});
