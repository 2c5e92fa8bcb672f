import { isRecord } from 'audience-core/internal';
import { credentials, Server, ServerCredentials } from '@grpc/grpc-js';
import type { ServiceError } from '@grpc/grpc-js';
import { ResourceProviderClient, ResourceProviderService } from '@pulumi/pulumi/proto/provider_grpc_pb';
import * as messages from '@pulumi/pulumi/proto/provider_pb';
import { Status } from '@pulumi/pulumi/proto/status_pb';
import type { Methods } from '../src/dynamic/methods.js';
import { Diagnostics } from '../src/plugin/diagnostics.js';
import { fromStruct, toStruct } from '../src/plugin/struct.js';
import { providerService } from '../src/plugin/provider.js';
import { Session } from '../src/plugin/session.js';
import { tokenOf } from '../src/engine/registry.js';
import { DECLARED_BY } from '../src/resources/declarations.js';
import type { Raw } from '../src/resources/raw.js';
import type { Run } from '../src/resources/run.js';
import type { Adapter } from './fake-engine.js';

/** The plugin's service on a local port, in this process, and a client that drives it as the engine does. */
export interface PluginOverGrpc {
  readonly client: ResourceProviderClient;
  readonly session: Session;
  /** What a fake engine calls. */
  readonly adapter: Adapter;
  close(): void;
}

/** @param opened makes the run from the signal that ends it; unless given, the run is what the adapter was given last. */
export async function pluginOverGrpc(opened?: (cancelled: AbortSignal) => Run): Promise<PluginOverGrpc> {
  let run: Run | undefined;
  const open = (_args: Raw, cancelled: AbortSignal): Run => {
    if (opened !== undefined) return opened(cancelled);
    if (run === undefined) throw new Error('No run has begun.');
    return run;
  };
  const diagnostics = new Diagnostics();
  const session = new Session(diagnostics.reporter, open);
  const server = new Server();
  server.addService(
    ResourceProviderService,
    providerService({ version: '0.0.0', schema: '{}' }, session, diagnostics),
  );
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
  return {
    client,
    session,
    adapter: async (next) => {
      run = next;
      await call((done) => client.configure(new messages.ConfigureRequest(), done));
      return (type) => methodsOver(client, type);
    },
    close: () => {
      client.close();
      server.forceShutdown();
    },
  };
}

function methodsOver(client: ResourceProviderClient, type: string): Methods {
  const urnOf = (name: string): string => `urn:pulumi:test::histories::${tokenOf(type, 'type')}::${name}`;
  const urn = urnOf('any');
  return {
    async check(olds, news) {
      const { [DECLARED_BY]: by, ...inputs } = raw(news);
      const [name = ''] = String(by).split('\n');
      const request = new messages.CheckRequest()
        .setUrn(urnOf(name))
        .setOlds(struct(olds))
        .setNews(struct(inputs));
      const response = await call<messages.CheckResponse>((done) => client.check(request, done));
      const failures = response
        .getFailuresList()
        .map((failure) => ({ property: failure.getProperty(), reason: failure.getReason() }));
      return { inputs: fromStruct(response.getInputs()), failures };
    },
    async diff(id, olds, news) {
      const request = new messages.DiffRequest()
        .setUrn(urn)
        .setId(id)
        .setOlds(struct(olds))
        .setNews(struct(news));
      const response = await call<messages.DiffResponse>((done) => client.diff(request, done));
      const changes = response.getChanges() === messages.DiffResponse.DiffChanges.DIFF_SOME;
      return { changes, replaces: response.getReplacesList() };
    },
    async create(inputs) {
      const request = new messages.CreateRequest().setUrn(urn).setProperties(struct(inputs));
      const response = await call<messages.CreateResponse>((done) => client.create(request, done));
      return { id: response.getId(), outs: fromStruct(response.getProperties()) };
    },
    async read(id, props) {
      const request = new messages.ReadRequest().setUrn(urn).setId(id).setProperties(struct(props));
      const response = await call<messages.ReadResponse>((done) => client.read(request, done));
      const [outs, inputs] = [fromStruct(response.getProperties()), fromStruct(response.getInputs())];
      return { id: response.getId(), props: outs, inputs };
    },
    async update(id, olds, news) {
      const request = new messages.UpdateRequest()
        .setUrn(urn)
        .setId(id)
        .setOlds(struct(olds))
        .setNews(struct(news));
      const response = await call<messages.UpdateResponse>((done) => client.update(request, done));
      return { outs: fromStruct(response.getProperties()) };
    },
    async delete(id, props) {
      const request = new messages.DeleteRequest().setUrn(urn).setId(id).setProperties(struct(props));
      await call((done) => client.delete(request, done));
    },
  };
}

function struct(properties: unknown): ReturnType<typeof toStruct> {
  return toStruct(raw(properties));
}

function raw(properties: unknown): Raw {
  return isRecord(properties) ? properties : {};
}

/** Calls the plugin; what it refuses is thrown as the engine would tell it. */
export function call<Response>(
  start: (done: (error: ServiceError | null, response: Response) => void) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    start((error, response) => (error === null ? resolve(response) : reject(asTold(error))));
  });
}

function asTold({ details, metadata }: ServiceError): Error {
  const error = Object.assign(new Error(details), {
    stack: details.includes('Please report it') ? details : '',
  });
  const [bytes] = metadata.get('grpc-status-details-bin');
  if (!Buffer.isBuffer(bytes)) return error;
  const [detail] = Status.deserializeBinary(bytes).getDetailsList();
  const failed = messages.ErrorResourceInitFailed.deserializeBinary(
    detail?.getValue_asU8() ?? Buffer.alloc(0),
  );
  return Object.assign(error, {
    id: failed.getId(),
    properties: fromStruct(failed.getProperties()),
    reasons: failed.getReasonsList(),
  });
}
