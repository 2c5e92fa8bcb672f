import { clockChangeSchema } from '../clock.js';
import type { Sandbox } from '../sandbox.js';
import { controlEndpoint } from './endpoint.js';

function view({ clock }: Sandbox) {
  return { time: clock.timestamp(), stopped: clock.stopped };
}

export const clockEndpoints = [
  controlEndpoint('GET /clock', {}, ({ sandbox }) => view(sandbox)),
  controlEndpoint('PUT /clock', { body: clockChangeSchema }, ({ sandbox, body }) => {
    sandbox.changeClock(body);
    return view(sandbox);
  }),
];
