import type { AudienceApi } from 'audience-core/internal';
import { Declarations } from './declarations.js';
import type { Host } from './host.js';
import { KnownService } from './known-service.js';

/** One run of a program against one service: what its resources share. */
export class Run {
  /** What the program has declared so far. */
  readonly declarations = new Declarations();
  readonly known: KnownService;

  constructor(
    readonly client: AudienceApi,
    readonly host: Host,
  ) {
    this.known = new KnownService(client, host.reporter);
  }
}
