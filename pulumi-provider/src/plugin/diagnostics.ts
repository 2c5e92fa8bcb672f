import { AsyncLocalStorage } from 'node:async_hooks';
import { credentials } from '@grpc/grpc-js';
import { EngineClient } from '@pulumi/pulumi/proto/engine_grpc_pb.js';
import { LogRequest, LogSeverity } from '@pulumi/pulumi/proto/engine_pb.js';
import { Secrets } from '../engine/secrets.js';
import type { Reporter } from '../resources/run.js';

/** The resource of a call, and the messages sent so far. */
interface Subject {
  readonly urn: string;
  readonly messages: Promise<void>[];
}

/** Sends messages to the engine, which shows them at the resource of the call. */
export class Diagnostics {
  private readonly subject = new AsyncLocalStorage<Subject>();
  private readonly engine: EngineClient | undefined;

  readonly secrets = new Secrets();

  readonly reporter: Reporter = this.secrets.reporterOf({
    info: (message) => this.send(LogSeverity.INFO, message),
    warn: (message) => this.send(LogSeverity.WARNING, message),
  });

  /** @param address of the engine; without one no message is sent. */
  constructor(address?: string) {
    if (address !== undefined) this.engine = new EngineClient(address, credentials.createInsecure());
  }

  /** Does a call's work, and waits until its messages have arrived. */
  async about<Result>(urn: string, work: () => Promise<Result>): Promise<Result> {
    const subject: Subject = { urn, messages: [] };
    try {
      return await this.subject.run(subject, work);
    } finally {
      await Promise.all(subject.messages);
    }
  }

  private send(severity: LogSeverity, message: string): void {
    const { engine } = this;
    if (engine === undefined) return;
    const subject = this.subject.getStore();
    const request = new LogRequest()
      .setSeverity(severity)
      .setMessage(message)
      .setUrn(subject?.urn ?? '');
    // A message that fails must not fail the call.
    subject?.messages.push(new Promise((resolve) => engine.log(request, () => resolve())));
  }
}
