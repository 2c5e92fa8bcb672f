import { Struct } from 'google-protobuf/google/protobuf/struct_pb.js';
import type { CallValues } from '../engine/calls.js';
import { fromEngine, toEngine } from '../engine/codec.js';
import type { Secrets } from '../engine/secrets.js';
import type { Raw } from '../resources/raw.js';

/** Properties of a message: secrets as their values, what is not known yet as `UNKNOWN`. */
export function fromStruct(struct: Struct | undefined): Raw {
  return fromEngine(struct?.toJavaScript());
}

/** Properties for a message; those that are named as secrets are kept as such. */
export function toStruct(properties: Raw, secrets: readonly string[] = []): Struct {
  return Struct.fromJavaScript(toEngine(properties, secrets));
}

/**
 * Properties of one call: what comes in as a secret goes out as one, and is in no message.
 *
 * @param always names of properties that are secrets whatever the program says.
 * @param hidden gets the values that no message may show.
 */
export function valuesWithSecrets(always: readonly string[], hidden: Secrets): CallValues<Struct> {
  const names = new Set(always);
  return {
    read: (properties, isCurrent) =>
      fromEngine(properties instanceof Struct ? properties.toJavaScript() : {}, (secret, property) => {
        // No message has a value of a list of contacts, and it may be long.
        if (property !== 'contacts') hidden.add(secret);
        if (isCurrent) names.add(property);
      }),
    write: (properties) => toStruct(properties, [...names]),
  };
}
