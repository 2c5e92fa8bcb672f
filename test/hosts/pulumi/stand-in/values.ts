import { Struct } from 'google-protobuf/google/protobuf/struct_pb';
import * as rpc from '@pulumi/pulumi/runtime/rpc';

/**
 * Property values as the engine sees them. Unknown values are a fixed text, which is the wire form. Secrets become
 * plain values: nothing here is stored.
 */
export type Value = null | boolean | number | string | Value[] | Properties;
/** Properties of a resource, by name. */
export interface Properties {
  [name: string]: Value;
}

const { specialSigKey, specialSecretSig, specialOutputValueSig, specialResourceSig, unknownValue } = rpc;

export function fromStruct(struct: Struct | undefined): Properties {
  return propertiesOf(struct?.toJavaScript() ?? {});
}

export function toStruct(properties: Properties): Struct {
  return Struct.fromJavaScript(properties);
}

function propertiesOf(values: object): Properties {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, valueOf(value)]));
}

/** Secrets, output values and resource references become what a provider without support for them is given. */
function valueOf(value: unknown): Value {
  if (Array.isArray(value)) return value.map(valueOf);
  if (typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return null;
  const properties = propertiesOf(value);
  const { value: inner = unknownValue, id, urn = null } = properties;
  switch (properties[specialSigKey]) {
    case specialSecretSig:
    case specialOutputValueSig:
      return inner;
    case specialResourceSig:
      return id === undefined ? urn : id === '' ? unknownValue : id;
    default:
      return properties;
  }
}
