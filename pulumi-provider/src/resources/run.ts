import type { AudienceApi } from 'audience-core/internal';
import type { DeclaredRows } from './contacts/declared-rows.js';
import { Creations } from './creations.js';
import { Declarations } from './declarations.js';
import { KnownService } from './known-service.js';
import { textOf, type Reporter } from '../messages/index.js';

export type { Reporter } from '../messages/index.js';

export interface Host {
  readonly reporter: Reporter;
  sleep(milliseconds: number): Promise<void>;
  /** Aborted when the user cancels the run. */
  readonly cancelled?: AbortSignal;
  /** An earlier address of the service, which a person names after a move. */
  readonly movedFrom?: string | undefined;
}

/** What the resources of one run share. */
export class Run {
  readonly declarations = new Declarations();
  readonly creations = new Creations(this.declarations);
  /** The rows that the run has read, by their checked inputs. It does not read an ignored file. */
  readonly lists = new Map<string, DeclaredRows | 'ignored'>();
  readonly known: KnownService;
  readonly host: Host;

  constructor(
    readonly client: AudienceApi,
    host: Host,
  ) {
    this.host = { ...host, reporter: onceEach(host.reporter) };
    this.known = new KnownService(client, this.host.reporter);
  }
}

/** Reports the same problem once: a plan, a write and a second check may each find it. */
function onceEach(reporter: Reporter): Reporter {
  const told = new Set<string>();
  const once =
    (report: Reporter['info']): Reporter['info'] =>
    (one) => {
      const text = textOf(one);
      if (!told.has(text)) report(one);
      told.add(text);
    };
  return { info: once((one) => reporter.info(one)), warn: once((one) => reporter.warn(one)) };
}
