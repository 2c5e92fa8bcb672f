import { Struct, type JavaScriptValue } from 'google-protobuf/google/protobuf/struct_pb';
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
  return struct === undefined ? {} : toProperties(normalize(toValue(struct.toJavaScript())));
}

export function toStruct(properties: Properties): Struct {
  return Struct.fromJavaScript(toWire(properties));
}

function toWire(properties: Properties): Record<string, JavaScriptValue> {
  return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, valueToWire(value)]));
}

function valueToWire(value: Value): JavaScriptValue {
  if (Array.isArray(value)) return value.map(valueToWire);
  return isObject(value) ? toWire(value) : value;
}

function toValue(value: unknown): Value {
  if (Array.isArray(value)) return value.map(toValue);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, toValue(item)]));
  }
  return typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string' ? value : null;
}

function toProperties(value: Value): Properties {
  return isObject(value) ? value : {};
}

export function isObject(value: Value | undefined): value is Properties {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Secrets, output values and resource references become what a provider without support for them is given. */
function normalize(value: Value): Value {
  if (Array.isArray(value)) return value.map(normalize);
  if (!isObject(value)) return value;
  switch (value[specialSigKey]) {
    case specialSecretSig:
    case specialOutputValueSig:
      return value['value'] === undefined ? unknownValue : normalize(value['value']);
    case specialResourceSig: {
      const id = value['id'];
      if (id === undefined) return value['urn'] ?? null;
      return id === '' ? unknownValue : id;
    }
    default:
      return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, normalize(item)]));
  }
}

export function equal(a: Value | undefined, b: Value | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => equal(item, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => equal(a[name], b[name]));
}
