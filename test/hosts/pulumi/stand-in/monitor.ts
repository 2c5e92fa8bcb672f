import * as grpc from '@grpc/grpc-js';
import { Empty } from 'google-protobuf/google/protobuf/empty_pb';
import { EngineService, type IEngineServer } from '@pulumi/pulumi/proto/engine_grpc_pb';
import * as engine from '@pulumi/pulumi/proto/engine_pb';
import { ResourceMonitorService, type IResourceMonitorServer } from '@pulumi/pulumi/proto/resource_grpc_pb';
import * as monitor from '@pulumi/pulumi/proto/resource_pb';
import { ROOT_TYPE, StepFailed, type Goal } from './deployment.js';
import { fromStruct, toStruct, type Properties } from './values.js';

/** What the server hands a program's calls to. */
export interface MonitorHandlers {
  register(goal: Goal): Promise<{ id: string; outputs: Properties }>;
  setOutputs(urn: string, outputs: Properties): void;
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
      registerResourceOutputs: unary((request: monitor.RegisterResourceOutputsRequest) => {
        this.handlers.setOutputs(request.getUrn(), fromStruct(request.getOutputs()));
        return new Empty();
      }),
      readResource: unimplemented,
      signalAndWaitForShutdown: unary(() => new Empty()),
      invoke: unimplemented,
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
    if (
      request.getImportid() !== '' ||
      request.getProvider() !== '' ||
      request.getIgnorechangesList().length > 0
    ) {
      throw new Error('The stand-in knows no import, provider or ignoreChanges. Install Pulumi.');
    }
    const { id, outputs } = await this.handlers.register({
      urn,
      type: request.getType(),
      name: request.getName(),
      custom: request.getCustom(),
      inputs: fromStruct(request.getObject()),
    });
    return new monitor.RegisterResourceResponse().setUrn(urn).setId(id).setObject(toStruct(outputs));
  }

  private urn(type: string, name: string, parent: string): string {
    const parentType = parent.split('::')[2] ?? '';
    const qualified = parentType === '' || parentType === ROOT_TYPE ? type : `${parentType}$${type}`;
    return `urn:pulumi:${this.stack}::${this.project}::${qualified}::${name}`;
  }
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
