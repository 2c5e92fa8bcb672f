import type { AudienceApi } from 'audience-core/internal';
import { Declarations } from './declarations.js';
import type { Host } from './host.js';
import { KnownService } from './known-service.js';

/** What the resources of one run share. */
export class Run {
  readonly declarations = new Declarations();
  readonly known: KnownService;

  constructor(
    readonly client: AudienceApi,
    readonly host: Host,
  ) {
    this.known = new KnownService(client, host.reporter);
  }
}
