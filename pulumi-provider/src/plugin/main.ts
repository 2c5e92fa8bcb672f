#!/usr/bin/env node
import v8 from 'node:v8';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { ResourceProviderService } from '@pulumi/pulumi/proto/provider_grpc_pb.js';
import { endWithEngine } from '../engine/engine-watch.js';
import { nodeProblem } from '../engine/node-version.js';
import { Diagnostics } from './diagnostics.js';
import { providerService } from './provider.js';
import schema from './schema.json';
import { Session } from './session.js';

// With many rows, the young objects take a third of the memory.
v8.setFlagsFromString('--semi-space-growth-factor=1');

const USAGE = `pulumi-resource-audience is a plugin of Pulumi. Pulumi starts it.

Install it with 'pulumi plugin install resource audience ${schema.version} --file TARBALL', or put it on the PATH.
`;

/** Serves Pulumi's provider protocol on a local port, and prints the port. */
function main(): void {
  const tooOld = nodeProblem('pulumi-resource-audience');
  if (tooOld !== undefined) {
    process.stderr.write(`${tooOld}\n`);
    process.exitCode = 1;
    return;
  }
  const address = process.argv.at(-1);
  if (address === undefined || !/:\d+$/.test(address)) {
    const isHelp = address === '--help';
    (isHelp ? process.stdout : process.stderr).write(USAGE);
    process.exitCode = isHelp ? 0 : 2;
    return;
  }
  const diagnostics = new Diagnostics(address);
  const session = new Session(diagnostics.reporter);
  const server = new Server({ 'grpc.max_receive_message_length': -1, 'grpc.max_send_message_length': -1 });
  const description = { version: schema.version, schema: JSON.stringify(schema) };
  server.addService(ResourceProviderService, providerService(description, session, diagnostics));
  server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
    if (error === null) process.stdout.write(`${port}\n`);
    else throw error;
  });
  // The engine interrupts its plugins; Ctrl+C may arrive during calls.
  const end = (): void => {
    session.cancel();
    server.tryShutdown(() => process.exit(0));
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);
  endWithEngine(address);
}

main();
