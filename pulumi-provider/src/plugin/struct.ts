import { Struct } from 'google-protobuf/google/protobuf/struct_pb.js';
import type { CallValues } from '../engine/calls.js';
import { fromEngine, toEngine } from '../engine/codec.js';
import type { Secrets } from '../engine/secrets.js';
import type { Raw } from '../resources/raw.js';

export function fromStruct(struct: Struct | undefined): Raw {
  return fromEngine(struct?.toJavaScript());
}

/** Encodes properties for a message, those that `secrets` names as secrets. */
export function toStruct(properties: Raw, secrets: readonly string[] = []): Struct {
  return Struct.fromJavaScript(toEngine(properties, secrets));
}

/**
 * Properties of one call: a secret input is a secret in the response.
 *
 * @param always names of properties that are always secrets.
 * @param hidden gets the values that no message may show.
 */
export function valuesWithSecrets(always: readonly string[], hidden: Secrets): CallValues<Struct> {
  const names = new Set(always);
  return {
    read: (properties, isCurrent) =>
      fromEngine(properties instanceof Struct ? properties.toJavaScript() : {}, (secret, property) => {
        // No message shows a value of a list, and lists may be long.
        if (property !== 'contacts') hidden.add(secret);
        if (isCurrent) names.add(property);
      }),
    write: (properties) => toStruct(properties, [...names]),
  };
}
