import type { ChildProcess } from 'node:child_process';
import * as grpc from '@grpc/grpc-js';
import { ResourceProviderClient } from '@pulumi/pulumi/proto/provider_grpc_pb';
import * as provider from '@pulumi/pulumi/proto/provider_pb';
import { Status } from '@pulumi/pulumi/proto/status_pb';
import { exitOf, onLines, sdkFile, startNode } from './child.js';
import { fromStruct, toStruct, type Properties } from './values.js';

/** What a resource's `check` found wrong. */
export interface CheckFailure {
  readonly property: string;
  readonly reason: string;
}

/** The provider made the resource, but not to the end: state keeps it together with the reasons. */
export class InitFailedError extends Error {
  constructor(
    readonly id: string,
    readonly properties: Properties,
    readonly reasons: readonly string[],
  ) {
    super(
      `${reasons.length === 1 ? '1 error' : `${reasons.length} errors`} occurred:\n${reasons.map((reason) => `\t* ${reason}`).join('\n')}`,
    );
  }
}

interface ProviderOptions {
  readonly programDir: string;
  readonly project: string;
  readonly engineAddress: string;
  readonly env: NodeJS.ProcessEnv;
  /** Settings by their keys, secrets too. */
  readonly config: Readonly<Record<string, string>>;
  readonly onLine: (line: string) => void;
}

/** The SDK's own dynamic provider process, and calls to it. All properties go in plain. */
export class ProviderProcess {
  private constructor(
    private readonly child: ChildProcess,
    private readonly client: ResourceProviderClient,
    private readonly ended: Promise<unknown>,
  ) {}

  static async start(options: ProviderOptions): Promise<ProviderProcess> {
    const child = startNode(
      sdkFile(options.programDir, 'cmd/dynamic-provider/index.js'),
      [options.engineAddress],
      options.programDir,
      { ...options.env, PULUMI_NODEJS_PROJECT: options.project },
    );
    const exited = exitOf(child);
    let tellPort: (port: string) => void = () => undefined;
    const port = new Promise<string>((resolve) => {
      tellPort = resolve;
    });
    let sawPort = false;
    const output = Promise.all([
      onLines(child.stderr, options.onLine),
      onLines(child.stdout, (line) => {
        if (sawPort) options.onLine(line);
        else tellPort(line.trim());
        sawPort = true;
      }),
    ]);
    const started = await Promise.race([port, exited]);
    if (typeof started !== 'string') throw new Error('The provider process ended before it was ready.');
    const client = new ResourceProviderClient(`127.0.0.1:${started}`, grpc.credentials.createInsecure(), {
      'grpc.max_receive_message_length': -1,
      'grpc.max_send_message_length': -1,
    });
    const process = new ProviderProcess(child, client, Promise.all([exited, output]));
    try {
      await process.configure(options.config);
    } catch (error) {
      await process.stop();
      throw error;
    }
    return process;
  }

  async stop(): Promise<void> {
    this.client.close();
    this.child.kill('SIGKILL');
    await this.ended;
  }

  private async configure(config: Readonly<Record<string, string>>): Promise<void> {
    const request = new provider.ConfigureRequest().setArgs(toStruct(config));
    for (const [name, value] of Object.entries(config)) request.getVariablesMap().set(name, value);
    await call<provider.ConfigureResponse>((done) => this.client.configure(request, done));
  }

  async check(
    urn: string,
    olds: Properties,
    news: Properties,
  ): Promise<{ inputs: Properties; failures: CheckFailure[] }> {
    const request = new provider.CheckRequest().setUrn(urn).setOlds(toStruct(olds)).setNews(toStruct(news));
    const answer = await call<provider.CheckResponse>((done) => this.client.check(request, done));
    return {
      inputs: fromStruct(answer.getInputs()),
      failures: failuresOf(answer),
    };
  }

  async diff(
    urn: string,
    id: string,
    olds: { inputs: Properties; outputs: Properties },
    news: Properties,
  ): Promise<{ changes: boolean | undefined; replace: boolean }> {
    const request = new provider.DiffRequest()
      .setUrn(urn)
      .setId(id)
      .setOldInputs(toStruct(olds.inputs))
      .setOlds(toStruct(olds.outputs))
      .setNews(toStruct(news));
    const answer = await call<provider.DiffResponse>((done) => this.client.diff(request, done));
    const { DIFF_NONE, DIFF_SOME } = provider.DiffResponse.DiffChanges;
    const changes = answer.getChanges();
    return {
      changes: changes === DIFF_NONE ? false : changes === DIFF_SOME ? true : undefined,
      replace: answer.getReplacesList().length > 0,
    };
  }

  async create(urn: string, inputs: Properties): Promise<{ id: string; outputs: Properties }> {
    const request = new provider.CreateRequest().setUrn(urn).setProperties(toStruct(inputs));
    const answer = await call<provider.CreateResponse>((done) => this.client.create(request, done));
    if (answer.getId() === '') throw new Error('provider did not return an ID from Create');
    return { id: answer.getId(), outputs: fromStruct(answer.getProperties()) };
  }

  async update(
    urn: string,
    id: string,
    olds: { inputs: Properties; outputs: Properties },
    news: Properties,
  ): Promise<{ outputs: Properties }> {
    const request = new provider.UpdateRequest()
      .setUrn(urn)
      .setId(id)
      .setOldInputs(toStruct(olds.inputs))
      .setOlds(toStruct(olds.outputs))
      .setNews(toStruct(news));
    const answer = await call<provider.UpdateResponse>((done) => this.client.update(request, done));
    return { outputs: fromStruct(answer.getProperties()) };
  }
}

function failuresOf(answer: provider.CheckResponse): CheckFailure[] {
  return answer
    .getFailuresList()
    .map((failure) => ({ property: failure.getProperty(), reason: failure.getReason() }));
}

function call<Answer>(
  start: (done: (error: grpc.ServiceError | null, answer: Answer) => void) => void,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    start((error, answer) => {
      if (error === null) resolve(answer);
      else reject(initFailure(error) ?? new Error(error.details));
    });
  });
}

function initFailure(error: grpc.ServiceError): InitFailedError | undefined {
  const [bytes] = error.metadata.get('grpc-status-details-bin');
  if (!Buffer.isBuffer(bytes)) return undefined;
  for (const detail of Status.deserializeBinary(bytes).getDetailsList()) {
    if (detail.getTypeName() !== 'pulumirpc.ErrorResourceInitFailed') continue;
    const failed = provider.ErrorResourceInitFailed.deserializeBinary(detail.getValue_asU8());
    return new InitFailedError(failed.getId(), fromStruct(failed.getProperties()), failed.getReasonsList());
  }
  return undefined;
}
