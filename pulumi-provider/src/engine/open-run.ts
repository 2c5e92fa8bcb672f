import { setTimeout as sleep } from 'node:timers/promises';
import type { Host } from '../resources/host.js';
import { Run } from '../resources/run.js';
import { createClient } from './connection.js';
import type { ReadSetting } from './connection.js';

/**
 * A run against the service that the settings name.
 *
 * @throws ResourceError when the settings cannot work.
 */
export function openRun(read: ReadSetting, host: Pick<Host, 'reporter' | 'cancelled'>): Run {
  return new Run(createClient(read), { ...host, sleep: (milliseconds) => sleep(milliseconds) });
}
