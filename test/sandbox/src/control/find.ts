import * as z from 'zod/mini';
import { contactKind, emailKind, eventKind, type Kind } from '../find/kinds.js';
import { controlEndpoint, type ControlEndpoint } from './endpoint.js';

/** The finder reads the filter. */
const filterBody = z.record(z.string(), z.unknown());

function endpointsOf<Stored extends { readonly id: string }, Item, Filter extends object>(
  kind: Kind<Stored, Item, Filter>,
): ControlEndpoint[] {
  return [
    controlEndpoint(`POST /${kind.noun}s/find`, { body: filterBody }, ({ sandbox, body }) => ({
      items: sandbox.finder.find(kind, body),
    })),
    controlEndpoint(`POST /${kind.noun}s/wait`, { body: filterBody }, ({ sandbox, body }) =>
      sandbox.finder.wait(kind, body),
    ),
  ];
}

export const findEndpoints = [
  ...endpointsOf(emailKind),
  ...endpointsOf(eventKind),
  ...endpointsOf(contactKind),
];
