import { problem } from '../messages/index.js';
import { ResourceError } from './errors.js';
import type { Run } from './run.js';

/**
 * Whether state was written to an address that a person has named as an earlier one of this service.
 *
 * @throws ResourceError where it was written to another address, and nobody has named it.
 */
export function hasMoved(written: unknown, { client, host }: Pick<Run, 'client' | 'host'>): boolean {
  if (written === client.baseUrl) return false;
  if (written !== undefined && written === host.movedFrom) return true;
  throw new ResourceError(problem('service.otherAddress', { from: String(written), to: client.baseUrl }));
}
