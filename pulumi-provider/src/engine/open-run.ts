import { setTimeout as sleep } from 'node:timers/promises';
import type { Host } from '../resources/host.js';
import { Run } from '../resources/run.js';
import { createClient } from './connection.js';
import type { ReadSetting } from './connection.js';
import { claimsOfRun } from './other-processes.js';

/**
 * A run against the service that the settings name.
 *
 * @param engineAddress by which the provider processes of one run find each other.
 * @throws ResourceError when the settings cannot work.
 */
export function openRun(
  read: ReadSetting,
  engineAddress: string,
  host: Pick<Host, 'reporter' | 'cancelled'>,
): Run {
  const client = createClient(read);
  const others = claimsOfRun(engineAddress, client.baseUrl);
  return new Run(client, { ...host, others, sleep: (milliseconds) => sleep(milliseconds) });
}
