import * as z from 'zod';
import { newSnapshotSchema, snapshotSchema } from '../snapshots.js';
import { actionEndpoint, controlEndpoint } from './endpoint.js';

const tag = 'snapshots';

export const listSnapshots = controlEndpoint(
  {
    operationId: 'listSnapshots',
    method: 'GET',
    path: '/snapshots',
    tag,
    summary: 'List the snapshots',
    response: z.array(snapshotSchema),
  },
  ({ sandbox }) => sandbox.snapshots.list(),
);

export const takeSnapshot = controlEndpoint(
  {
    operationId: 'takeSnapshot',
    method: 'POST',
    path: '/snapshots',
    tag,
    summary:
      'Take a snapshot of everything: account, mails, events, log, keys, clock, faults, limit and profile',
    body: newSnapshotSchema,
    response: snapshotSchema,
  },
  ({ sandbox, body }) => sandbox.snapshots.take(body.name),
);

export const restoreSnapshot = controlEndpoint(
  {
    operationId: 'restoreSnapshot',
    method: 'POST',
    path: '/snapshots/{id}/restore',
    tag,
    idOf: 'the snapshot',
    summary: 'Bring everything back to how it was; the snapshot stays',
    response: snapshotSchema,
  },
  ({ sandbox, id }) => sandbox.snapshots.restore(id),
);

export const removeSnapshot = actionEndpoint(
  {
    operationId: 'removeSnapshot',
    method: 'DELETE',
    path: '/snapshots/{id}',
    tag,
    idOf: 'the snapshot',
    summary: 'Delete a snapshot',
  },
  ({ sandbox, id }) => sandbox.snapshots.remove(id),
);
