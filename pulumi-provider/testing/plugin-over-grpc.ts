import { credentials, Server, ServerCredentials, type ServiceError } from '@grpc/grpc-js';
import { ResourceProviderClient, ResourceProviderService } from '@pulumi/pulumi/proto/provider_grpc_pb';
import * as messages from '@pulumi/pulumi/proto/provider_pb';
import { Status } from '@pulumi/pulumi/proto/status_pb';
import { Diagnostics } from '../src/plugin/diagnostics.js';
import { fromStruct } from '../src/plugin/struct.js';
import { providerService } from '../src/plugin/provider.js';
import { Session } from '../src/plugin/session.js';
import type { Run } from '../src/resources/run.js';

/** The plugin's service on a local port, in this process, and a client that drives it as the engine does. */
export interface PluginOverGrpc {
  readonly client: ResourceProviderClient;
  close(): void;
}

/** @param open makes the run from the signal that ends it. */
export async function pluginOverGrpc(open: (cancelled: AbortSignal) => Run): Promise<PluginOverGrpc> {
  const diagnostics = new Diagnostics();
  const session = new Session(diagnostics.reporter, (_args, cancelled) => open(cancelled));
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
    close: () => {
      client.close();
      server.forceShutdown();
    },
  };
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
