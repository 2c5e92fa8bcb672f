import { Metadata, status } from '@grpc/grpc-js';
import type { ServerErrorResponse } from '@grpc/grpc-js';
import { Any } from 'google-protobuf/google/protobuf/any_pb.js';
import { ErrorResourceInitFailed } from '@pulumi/pulumi/proto/provider_pb.js';
import { Status } from '@pulumi/pulumi/proto/status_pb.js';
import { isForPeople } from '../engine/errors.js';
import { PartialFailure } from '../resources/errors.js';
import type { Secrets } from '../engine/secrets.js';
import { toStruct } from './struct.js';

/**
 * An error as the engine takes it: a sentence for people, and the state of what was done in part. A fault of ours is
 * told as one; its stack is printed where only `pulumi --logtostderr` shows it.
 *
 * @param hidden secret values, which no message holds.
 * @param secrets names of properties that state keeps as secrets.
 */
export function failureOf(
  error: unknown,
  hidden: Secrets,
  secrets: readonly string[] = [],
): Partial<ServerErrorResponse> {
  if (error instanceof PartialFailure) return initFailure(error, hidden, secrets);
  if (isForPeople(error)) return { code: status.UNKNOWN, details: hidden.hide(error.message) };
  const fault = error instanceof Error ? error : new Error(String(error));
  process.stderr.write(`${fault.stack ?? fault.message}\n`);
  const details = `The plugin pulumi-resource-audience has a fault: ${hidden.hide(fault.message)}. Please report it.`;
  return { code: status.INTERNAL, details };
}

function initFailure(
  { id, outs, reasons, message: plain }: PartialFailure,
  hidden: Secrets,
  secrets: readonly string[],
): Partial<ServerErrorResponse> {
  const message = hidden.hide(plain);
  const failed = new ErrorResourceInitFailed()
    .setId(id)
    .setProperties(toStruct(outs, secrets))
    .setReasonsList(reasons.map((reason) => hidden.hide(reason)));
  const detail = new Any();
  detail.pack(failed.serializeBinary(), 'pulumirpc.ErrorResourceInitFailed');
  const whole = new Status().setCode(status.UNKNOWN).setMessage(message).setDetailsList([detail]);
  const metadata = new Metadata();
  metadata.add('grpc-status-details-bin', Buffer.from(whole.serializeBinary()));
  return { code: status.UNKNOWN, details: message, metadata };
}
