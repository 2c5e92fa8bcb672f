import { newSnapshotSchema } from '../snapshots.js';
import { controlEndpoint } from './endpoint.js';

export const snapshotEndpoints = [
  controlEndpoint('GET /snapshots', {}, ({ sandbox }) => sandbox.snapshots.list()),
  controlEndpoint('POST /snapshots', { body: newSnapshotSchema }, ({ sandbox, body }) =>
    sandbox.snapshots.create(body.name),
  ),
  controlEndpoint('POST /snapshots/{id}/restore', {}, ({ sandbox, id }) => sandbox.snapshots.restore(id)),
  controlEndpoint('DELETE /snapshots/{id}', {}, ({ sandbox, id }) => sandbox.snapshots.remove(id)),
];
