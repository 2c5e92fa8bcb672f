import { AsyncLocalStorage } from 'node:async_hooks';
import { credentials } from '@grpc/grpc-js';
import { EngineClient } from '@pulumi/pulumi/proto/engine_grpc_pb.js';
import { LogRequest, LogSeverity } from '@pulumi/pulumi/proto/engine_pb.js';
import { Secrets } from '../engine/secrets.js';
import type { Reporter } from '../resources/host.js';

/** What a call of the engine is about, and what it has told so far. */
interface Subject {
  readonly urn: string;
  readonly told: Promise<void>[];
}

/** Tells people, at the resource that a call is about. */
export class Diagnostics {
  private readonly subject = new AsyncLocalStorage<Subject>();
  private engine: EngineClient | undefined;

  /** Values that are shown to nobody. */
  readonly secrets = new Secrets();

  readonly reporter: Reporter = this.secrets.hiddenFrom({
    info: (message) => this.tell(LogSeverity.INFO, message),
    warn: (message) => this.tell(LogSeverity.WARNING, message),
  });

  /** @param address of the engine, as it says itself; nothing is told to nobody. */
  attach(address: string): void {
    this.engine?.close();
    this.engine = address === '' ? undefined : new EngineClient(address, credentials.createInsecure());
  }

  /** Does a call's work; it ends when all that it tells has arrived. */
  async about<Result>(urn: string, work: () => Promise<Result>): Promise<Result> {
    const subject: Subject = { urn, told: [] };
    try {
      return await this.subject.run(subject, work);
    } finally {
      await Promise.all(subject.told);
    }
  }

  private tell(severity: LogSeverity, message: string): void {
    const { engine } = this;
    if (engine === undefined) return;
    const subject = this.subject.getStore();
    const request = new LogRequest()
      .setSeverity(severity)
      .setMessage(message)
      .setUrn(subject?.urn ?? '');
    // What cannot be told changes nothing of what is done.
    subject?.told.push(new Promise((resolve) => engine.log(request, () => resolve())));
  }
}
