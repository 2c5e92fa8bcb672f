import { Metadata, status, type ServerErrorResponse } from '@grpc/grpc-js';
import { Any } from 'google-protobuf/google/protobuf/any_pb.js';
import { Struct } from 'google-protobuf/google/protobuf/struct_pb.js';
import { ErrorResourceInitFailed } from '@pulumi/pulumi/proto/provider_pb.js';
import { Status } from '@pulumi/pulumi/proto/status_pb.js';
import { asCallError, CallError } from '../engine/calls.js';
import type { Secrets } from '../engine/secrets.js';

/** An error as a response, with the state of a partial failure. Only `pulumi --logtostderr` shows a stack. */
export function failureOf(thrown: unknown, secrets: Secrets): Partial<ServerErrorResponse> {
  const error = asCallError(thrown, secrets);
  if (error instanceof CallError) return callFailure(error);
  const fault = error instanceof Error ? error : new Error(String(error));
  process.stderr.write(`${fault.stack ?? fault.message}\n`);
  const details = `The plugin pulumi-resource-audience has a fault: ${secrets.isEmpty ? fault.message : fault.name}. Please report it.`;
  return { code: status.INTERNAL, details };
}

function callFailure({ id, properties, reasons, message }: CallError): Partial<ServerErrorResponse> {
  if (id === undefined) return { code: status.UNKNOWN, details: message };
  const failed = new ErrorResourceInitFailed()
    .setId(id)
    .setProperties(properties instanceof Struct ? properties : new Struct())
    .setReasonsList([...reasons]);
  const detail = new Any();
  detail.pack(failed.serializeBinary(), 'pulumirpc.ErrorResourceInitFailed');
  const whole = new Status().setCode(status.UNKNOWN).setMessage(message).setDetailsList([detail]);
  const metadata = new Metadata();
  metadata.add('grpc-status-details-bin', Buffer.from(whole.serializeBinary()));
  return { code: status.UNKNOWN, details: message, metadata };
}
