import type { ChildProcess } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import * as grpc from '@grpc/grpc-js';
import { ResourceProviderClient } from '@pulumi/pulumi/proto/provider_grpc_pb';
import * as provider from '@pulumi/pulumi/proto/provider_pb';
import { Status } from '@pulumi/pulumi/proto/status_pb';
import type { ProviderKind } from '../engine.js';
import { exitOf, onLines, sdkFile, startNode } from './child.js';
import { fromStruct, plain, plainValue, toStruct } from './values.js';
import type { Properties } from './values.js';

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
  readonly kind: ProviderKind;
  /** URN of the provider as a resource, which a native one is told of. */
  readonly urn: string;
  readonly programDir: string;
  readonly project: string;
  readonly engineAddress: string;
  readonly env: NodeJS.ProcessEnv;
  /** Settings by their keys; of a native one, its arguments. */
  readonly config: Properties;
  readonly onLine: (line: string) => void;
}

/** The arguments of a provider are at fault. */
export class ConfigurationFault extends Error {}

const PLUGIN = path.join(
  path.dirname(createRequire(__filename).resolve('pulumi-audience/package.json')),
  'dist/bin/pulumi-resource-audience',
);

/**
 * The SDK's own dynamic provider process or our plugin, and calls to it. All properties go in plain; a native one may
 * give secrets back.
 */
export class ProviderProcess {
  private constructor(
    private readonly child: ChildProcess,
    private readonly client: ResourceProviderClient,
    private readonly ended: Promise<unknown>,
  ) {}

  /** Whether it gives secrets back as such; else the engine marks them again. */
  acceptsSecrets = false;

  static async start(options: ProviderOptions): Promise<ProviderProcess> {
    const isNative = options.kind === 'native';
    const child = startNode(
      isNative ? PLUGIN : sdkFile(options.programDir, 'cmd/dynamic-provider/index.js'),
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
      if (isNative) await process.checkConfig(options.urn, options.config);
      await process.configure(options.config);
    } catch (error) {
      await process.stop();
      throw error;
    }
    return process;
  }

  /** Process id, for tests that kill it. */
  get pid(): number | undefined {
    return this.child.pid;
  }

  async stop(): Promise<void> {
    this.client.close();
    this.child.kill('SIGKILL');
    await this.ended;
  }

  private async checkConfig(urn: string, config: Properties): Promise<void> {
    const request = new provider.CheckRequest().setUrn(urn).setNews(toStruct(config));
    const answer = await call<provider.CheckResponse>((done) => this.client.checkConfig(request, done));
    const name = urn.split('::').at(-1) ?? urn;
    const reasons = answer.getFailuresList().map((failure) => failure.getReason());
    if (reasons.length > 0) {
      throw new ConfigurationFault(
        `pulumi:providers:audience resource '${name}' has a problem: ${reasons.join('; ')}`,
      );
    }
  }

  /** Whether other arguments replace the provider, and all its resources with it. */
  async replacedBy(urn: string, olds: Properties, news: Properties): Promise<boolean> {
    const request = new provider.DiffRequest()
      .setUrn(urn)
      .setOlds(toStruct(olds))
      .setOldInputs(toStruct(olds))
      .setNews(toStruct(news));
    const answer = await call<provider.DiffResponse>((done) => this.client.diffConfig(request, done));
    return answer.getReplacesList().length > 0;
  }

  private async configure(config: Properties): Promise<void> {
    const request = new provider.ConfigureRequest();
    for (const [name, value] of Object.entries(config)) {
      const text = plainValue(value);
      request.getVariablesMap().set(name, typeof text === 'string' ? text : JSON.stringify(text));
    }
    request.setArgs(toStruct(config)).setAcceptsecrets(true).setAcceptresources(true);
    const response = await call<provider.ConfigureResponse>((done) => this.client.configure(request, done));
    this.acceptsSecrets = response.getAcceptsecrets();
  }

  /** Properties as this provider takes them: only one that accepts secrets is told which values are. */
  private sent(properties: Properties): ReturnType<typeof toStruct> {
    return toStruct(this.acceptsSecrets ? properties : plain(properties));
  }

  async invoke(token: string, args: Properties): Promise<{ result: Properties; failures: CheckFailure[] }> {
    const request = new provider.InvokeRequest().setTok(token).setArgs(toStruct(args));
    const answer = await call<provider.InvokeResponse>((done) => this.client.invoke(request, done));
    return { result: fromStruct(answer.getReturn()), failures: failuresOf(answer) };
  }

  async check(
    urn: string,
    olds: Properties,
    news: Properties,
  ): Promise<{ inputs: Properties; failures: CheckFailure[] }> {
    const request = new provider.CheckRequest().setUrn(urn).setOlds(this.sent(olds)).setNews(this.sent(news));
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
  ): Promise<{ changes: boolean | undefined; replace: boolean; deleteBeforeReplace: boolean }> {
    const request = new provider.DiffRequest()
      .setUrn(urn)
      .setId(id)
      .setOldInputs(this.sent(olds.inputs))
      .setOlds(this.sent(olds.outputs))
      .setNews(this.sent(news));
    const answer = await call<provider.DiffResponse>((done) => this.client.diff(request, done));
    const { DIFF_NONE, DIFF_SOME } = provider.DiffResponse.DiffChanges;
    const changes = answer.getChanges();
    return {
      changes: changes === DIFF_NONE ? false : changes === DIFF_SOME ? true : undefined,
      replace: answer.getReplacesList().length > 0,
      deleteBeforeReplace: answer.getDeletebeforereplace(),
    };
  }

  async create(urn: string, inputs: Properties): Promise<{ id: string; outputs: Properties }> {
    const request = new provider.CreateRequest().setUrn(urn).setProperties(this.sent(inputs));
    const answer = await call<provider.CreateResponse>((done) => this.client.create(request, done));
    if (answer.getId() === '') throw new Error('provider did not return an ID from Create');
    return { id: answer.getId(), outputs: fromStruct(answer.getProperties()) };
  }

  async read(
    urn: string,
    id: string,
    old: { inputs: Properties; outputs: Properties },
  ): Promise<{ id: string; outputs: Properties; inputs?: Properties }> {
    const request = new provider.ReadRequest()
      .setUrn(urn)
      .setId(id)
      .setProperties(this.sent(old.outputs))
      .setInputs(this.sent(old.inputs));
    const answer = await call<provider.ReadResponse>((done) => this.client.read(request, done));
    const inputs = answer.getInputs();
    return {
      id: answer.getId(),
      outputs: fromStruct(answer.getProperties()),
      ...(inputs === undefined ? {} : { inputs: fromStruct(inputs) }),
    };
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
      .setOldInputs(this.sent(olds.inputs))
      .setOlds(this.sent(olds.outputs))
      .setNews(this.sent(news));
    const answer = await call<provider.UpdateResponse>((done) => this.client.update(request, done));
    return { outputs: fromStruct(answer.getProperties()) };
  }

  async delete(urn: string, id: string, old: { inputs: Properties; outputs: Properties }): Promise<void> {
    const request = new provider.DeleteRequest()
      .setUrn(urn)
      .setId(id)
      .setProperties(this.sent(old.outputs))
      .setOldInputs(this.sent(old.inputs));
    await call((done) => this.client.delete(request, done));
  }
}

function failuresOf(answer: provider.CheckResponse | provider.InvokeResponse): CheckFailure[] {
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
