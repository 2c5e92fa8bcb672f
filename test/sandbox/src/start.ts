import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as z from 'zod/mini';
import { noJournal, type Journal } from './account/journal.js';
import { contactRecordSchema } from './account/contact-record.js';
import { requestLogEntrySchema, type RequestLogEntry } from './account/records.js';
import { openingError } from './account/data-file-error.js';
import { openSqliteJournal } from './account/sqlite-journal.js';
import { copyOf } from './copy.js';
import { faultSchema, type Fault, type NewFault } from './faults/fault.js';
import type { RateLimit } from './faults/rate-limit.js';
import { listen } from './http/listen.js';
import { createSandboxServer } from './server.js';
import { filterRequests, type RequestFilter } from './control/requests.js';
import type { SandboxQueries } from './find/queries.js';
import { queriesOf } from './find/source.js';
import type { NewProfile, Profile } from './profile.js';
import { optionsSchema, type SandboxOptions } from './sandbox-options.js';
import { Sandbox } from './sandbox.js';
import { readAs } from './read-as.js';
import { SandboxError } from './sandbox-error.js';
import { exportSeed } from './seed/export-seed.js';
import { seedSchema, type Seed } from './seed/schema.js';

/** A sandbox that runs in this process. */
export interface RunningSandbox extends SandboxQueries {
  /** Base URL of the service, and of the inbox. */
  readonly url: string;
  readonly apiKey: string;
  readonly port: number;
  /** Back to the seed: no mails, events, log, keys or faults; the first rate limit and profile; the machine's time. */
  reset(): void;
  /** Empties emails, events and the log of requests, and forgets the used idempotency keys. The rest stays. */
  clear(): void;
  /** Replaces everything by a seed, which later resets go back to. */
  load(seed: Seed): void;
  /** Everything that the account holds, as a seed. */
  export(): Seed;
  /** The calls that were received, in the order of their responses. */
  requests(filter?: RequestFilter): RequestLogEntry[];
  readonly faults: {
    /** Makes the next calls go wrong. */
    next(fault: NewFault): Fault;
    list(): Fault[];
    clear(): void;
  };
  /** Sets a rate limit; `undefined` lifts it. */
  limitRate(limit: RateLimit | undefined): void;
  /** The present behaviour of the service where the interface does not define it. */
  profile(): Profile;
  /**
   * Sets the profile, from the next call on; what is left out is as in its preset.
   *
   * @throws SandboxError that names what is wrong with it
   */
  setProfile(profile: NewProfile): void;
  readonly clock: {
    /** Now, in milliseconds since 1970. */
    now(): number;
    /** Moves the time by that many milliseconds, a whole number; negative goes back. */
    advance(milliseconds: number): void;
  };
  /** Stops listening, cuts what is open and lets the data file go. */
  close(): Promise<void>;
}

/**
 * Starts the service on this machine.
 *
 * @throws SandboxError when the seed or another option is wrong, the data file cannot be used, or the port is in use.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<RunningSandbox> {
  const read = readAs(optionsSchema, options, 'the options');
  const { host = '127.0.0.1', port = 0, controlKey, allowedHosts, dataFile, warn } = read;
  const sandbox = openSandbox(read, dataFile === undefined ? noJournal : openSqliteJournal(dataFile, warn));
  const server = createSandboxServer(sandbox, {
    hosts: new Set(allowedHosts?.map((name) => name.toLowerCase())),
    controlKey,
  });
  let address: AddressInfo;
  try {
    address = await listen(server, port, host);
  } catch (error) {
    sandbox.close();
    throw error;
  }
  return {
    url: `http://${reachable(host)}:${address.port}${sandbox.prefix}`,
    apiKey: sandbox.apiKey,
    port: address.port,
    reset: () => sandbox.reset(),
    clear: () => sandbox.clear(),
    load: (seed) => sandbox.load(seed),
    export: () => copyOf(seedSchema, exportSeed(sandbox.account)),
    requests: (filter = {}) =>
      copyOf(z.array(requestLogEntrySchema), filterRequests(sandbox.account.requests.values(), filter)),
    ...queriesOf({
      find: async (kind, filter) => Promise.resolve(sandbox.finder.find(kind, filter)),
      wait: (kind, filter) => sandbox.finder.wait(kind, filter),
      contact: async (identifier) => {
        const contact = sandbox.account.contacts.named(identifier);
        return Promise.resolve(contact && copyOf(contactRecordSchema, contact));
      },
      deleteContact: async (identifier) => {
        await Promise.resolve();
        sandbox.deleteContact(identifier);
      },
    }),
    faults: {
      next: (fault) => copyOf(faultSchema, sandbox.faults.next(fault)),
      list: () => copyOf(z.array(faultSchema), sandbox.faults.list()),
      clear: () => sandbox.faults.clear(),
    },
    limitRate: (limit) => sandbox.limitRate(limit),
    profile: () => ({ ...sandbox.profile }),
    setProfile: (profile) => sandbox.setProfile(profile),
    clock: {
      now: () => sandbox.clock.now(),
      advance: (milliseconds) => sandbox.changeClock({ advanceMs: milliseconds }),
    },
    close: async () => {
      await stop(server);
      sandbox.close();
    },
  };
}

function openSandbox(options: SandboxOptions, journal: Journal): Sandbox {
  try {
    return new Sandbox(options, journal);
  } catch (error) {
    journal.close();
    if (error instanceof SandboxError || options.dataFile === undefined) throw error;
    throw openingError(options.dataFile, error);
  }
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** What to put into a URL to reach a server that listens on that address. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
