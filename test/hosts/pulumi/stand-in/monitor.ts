import * as grpc from '@grpc/grpc-js';
import { Empty } from 'google-protobuf/google/protobuf/empty_pb';
import { EngineService } from '@pulumi/pulumi/proto/engine_grpc_pb';
import type { IEngineServer } from '@pulumi/pulumi/proto/engine_grpc_pb';
import * as engine from '@pulumi/pulumi/proto/engine_pb';
import { ResourceMonitorService } from '@pulumi/pulumi/proto/resource_grpc_pb';
import type { IResourceMonitorServer } from '@pulumi/pulumi/proto/resource_grpc_pb';
import { CheckFailure } from '@pulumi/pulumi/proto/provider_pb';
import * as monitor from '@pulumi/pulumi/proto/resource_pb';
import { ROOT_TYPE, StepFailed } from './deployment.js';
import type { Goal } from './deployment.js';
import type { CheckFailure as Failure } from './provider-process.js';
import { fromStruct, toStruct } from './values.js';
import type { Properties } from './values.js';

/** What the server hands a program's calls to. */
export interface MonitorHandlers {
  register(goal: Goal): Promise<{ id: string; outputs: Properties }>;
  setOutputs(urn: string, outputs: Properties): Promise<void>;
  readStack(name: string): Promise<Properties>;
  /** Calls a function of a provider: the default one unless its URN is given. */
  invoke(
    token: string,
    args: Properties,
    provider: string | undefined,
  ): Promise<{ result: Properties; failures: readonly Failure[] }>;
  log(urn: string, severity: 'error' | 'warning' | 'info', message: string): void;
}

const FEATURES = new Set(['secrets', 'resourceReferences', 'outputValues']);

/** The two services that a program and a provider talk to: resource monitor and engine, on one local port. */
export class MonitorServer {
  private readonly server = new grpc.Server({
    'grpc.max_receive_message_length': -1,
    'grpc.max_send_message_length': -1,
  });
  private root = '';

  private constructor(
    private readonly project: string,
    private readonly stack: string,
    private readonly handlers: MonitorHandlers,
  ) {
    this.server.addService(ResourceMonitorService, this.monitorService());
    this.server.addService(EngineService, this.engineService());
  }

  static async start(
    project: string,
    stack: string,
    handlers: MonitorHandlers,
  ): Promise<{ address: string; close(): void }> {
    const { server } = new MonitorServer(project, stack, handlers);
    const port = await new Promise<number>((resolve, reject) => {
      server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (error, bound) => {
        if (error === null) resolve(bound);
        else reject(error);
      });
    });
    return { address: `127.0.0.1:${port}`, close: () => server.forceShutdown() };
  }

  private monitorService(): IResourceMonitorServer {
    return {
      getDeploymentInfo: unimplemented,
      supportsFeature: unary((request: monitor.SupportsFeatureRequest) =>
        new monitor.SupportsFeatureResponse().setHassupport(FEATURES.has(request.getId())),
      ),
      registerResource: unary((request: monitor.RegisterResourceRequest) => this.registerResource(request)),
      registerResourceOutputs: unary(async (request: monitor.RegisterResourceOutputsRequest) => {
        await this.handlers.setOutputs(request.getUrn(), fromStruct(request.getOutputs()));
        return new Empty();
      }),
      readResource: unary((request: monitor.ReadResourceRequest) => this.readResource(request)),
      signalAndWaitForShutdown: unary(() => new Empty()),
      invoke: unary((request: monitor.ResourceInvokeRequest) => this.invoke(request)),
      call: unimplemented,
      existsResource: unimplemented,
      registerStackTransform: unimplemented,
      registerStackInvokeTransform: unimplemented,
      registerResourceHook: unimplemented,
      registerErrorHook: unimplemented,
      registerPackage: unimplemented,
    };
  }

  private engineService(): IEngineServer {
    return {
      log: unary((request: engine.LogRequest) => {
        const severity = request.getSeverity();
        if (severity !== engine.LogSeverity.DEBUG) {
          const words = { 1: 'info', 2: 'warning', 3: 'error' } as const;
          this.handlers.log(request.getUrn(), words[severity], request.getMessage());
        }
        return new Empty();
      }),
      getRootResource: unary(() => new engine.GetRootResourceResponse().setUrn(this.root)),
      setRootResource: unary((request: engine.SetRootResourceRequest) => {
        this.root = request.getUrn();
        return new engine.SetRootResourceResponse();
      }),
      startDebugging: unimplemented,
      requirePulumiVersion: unimplemented,
    };
  }

  private async registerResource(
    request: monitor.RegisterResourceRequest,
  ): Promise<monitor.RegisterResourceResponse> {
    const parent = request.getParent();
    const urn = this.urn(request.getType(), request.getName(), parent);
    const dependencies = new Set(request.getDependenciesList());
    const { id, outputs } = await this.handlers.register({
      urn,
      type: request.getType(),
      name: request.getName(),
      custom: request.getCustom(),
      dependencies: [...dependencies],
      aliases: request.getAliasurnsList(),
      inputs: fromStruct(request.getObject()),
      additionalSecretOutputs: request.getAdditionalsecretoutputsList(),
      retainOnDelete: request.getRetainondelete() ?? false,
      ignoreChanges: request.getIgnorechangesList(),
      ...(request.getImportid() === '' ? {} : { importId: request.getImportid() }),
      ...(request.getProvider() === '' ? {} : { provider: urnOf(request.getProvider()) }),
      ...(parent === '' ? {} : { parent }),
      ...(request.getDeletebeforereplacedefined()
        ? { deleteBeforeReplace: request.getDeletebeforereplace() }
        : {}),
    });
    return new monitor.RegisterResourceResponse().setUrn(urn).setId(id).setObject(toStruct(outputs));
  }

  private async invoke(request: monitor.ResourceInvokeRequest): Promise<monitor.ResourceInvokeResponse> {
    const provider = request.getProvider() === '' ? undefined : urnOf(request.getProvider());
    const args = fromStruct(request.getArgs());
    const { result, failures } = await this.handlers.invoke(request.getTok(), args, provider);
    return new monitor.ResourceInvokeResponse()
      .setReturn(toStruct(result))
      .setFailuresList(
        failures.map(({ property, reason }) => new CheckFailure().setProperty(property).setReason(reason)),
      );
  }

  private async readResource(request: monitor.ReadResourceRequest): Promise<monitor.ReadResourceResponse> {
    if (request.getType() !== 'pulumi:pulumi:StackReference') {
      throw new Error(`The stand-in reads stack references only, not ${request.getType()}.`);
    }
    const name = request.getId();
    const outputs = await this.handlers.readStack(name);
    return new monitor.ReadResourceResponse()
      .setUrn(this.urn(request.getType(), request.getName(), request.getParent()))
      .setProperties(toStruct({ name, outputs, secretOutputNames: [] }));
  }

  private urn(type: string, name: string, parent: string): string {
    const parentType = parent.split('::')[2] ?? '';
    const qualified = parentType === '' || parentType === ROOT_TYPE ? type : `${parentType}$${type}`;
    return `urn:pulumi:${this.stack}::${this.project}::${qualified}::${name}`;
  }
}

/** A reference to a provider is its URN and its id. */
function urnOf(reference: string): string {
  return reference.split('::').slice(0, -1).join('::');
}

function unary<Request, Response>(
  answer: (request: Request) => Response | Promise<Response>,
): grpc.handleUnaryCall<Request, Response> {
  return (call, callback) => {
    Promise.resolve(call.request)
      .then(answer)
      .then(
        (response) => {
          callback(null, response);
        },
        (error: unknown) => {
          // A failed run closes the monitor; the program takes that as its sign to end without a word.
          const code = error instanceof StepFailed ? grpc.status.UNAVAILABLE : grpc.status.UNKNOWN;
          callback({ code, details: error instanceof Error ? error.message : String(error) });
        },
      );
  };
}

function unimplemented(_call: unknown, callback: (error: { code: grpc.status }) => void): void {
  callback({ code: grpc.status.UNIMPLEMENTED });
}
