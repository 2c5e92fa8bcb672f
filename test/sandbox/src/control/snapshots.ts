import * as z from 'zod/mini';
import { newSnapshotSchema, snapshotSchema } from '../snapshots.js';
import { actionEndpoint, controlEndpoint, endpoints } from './endpoint.js';

export const snapshotEndpoints = endpoints('snapshots', {
  listSnapshots: controlEndpoint(
    'GET /snapshots',
    'List the snapshots',
    { response: z.array(snapshotSchema) },
    ({ sandbox }) => sandbox.snapshots.list(),
  ),
  createSnapshot: controlEndpoint(
    'POST /snapshots',
    'Create a snapshot of everything: account, mails, events, log, keys, clock, faults, limit and profile',
    { body: newSnapshotSchema, response: snapshotSchema },
    ({ sandbox, body }) => sandbox.snapshots.create(body.name),
  ),
  restoreSnapshot: controlEndpoint(
    'POST /snapshots/{id}/restore',
    'Restore everything to how it was; the snapshot stays',
    { idOf: 'the snapshot', response: snapshotSchema },
    ({ sandbox, id }) => sandbox.snapshots.restore(id),
  ),
  removeSnapshot: actionEndpoint(
    'DELETE /snapshots/{id}',
    'Delete a snapshot',
    { idOf: 'the snapshot' },
    ({ sandbox, id }) => sandbox.snapshots.remove(id),
  ),
});
