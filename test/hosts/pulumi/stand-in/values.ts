import { Struct } from 'google-protobuf/google/protobuf/struct_pb';
import type { JavaScriptValue } from 'google-protobuf/google/protobuf/struct_pb';
import * as rpc from '@pulumi/pulumi/runtime/rpc';

/**
 * Property values as the engine sees them. Unknown values are a fixed text, secrets are wrapped in an object with
 * a signature; both are the wire form, so values can be sent on as they are.
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

export function isSecret(value: Value | undefined): value is { value: Value } {
  return isObject(value) && value[specialSigKey] === specialSecretSig;
}

export function secret(value: Value): Properties {
  return { [specialSigKey]: specialSecretSig, value };
}

export function containsUnknown(value: Value): boolean {
  if (value === unknownValue) return true;
  if (Array.isArray(value)) return value.some(containsUnknown);
  return isObject(value) && Object.values(value).some(containsUnknown);
}

/** Output values and resource references become what a provider without support for them is given. */
function normalize(value: Value): Value {
  if (Array.isArray(value)) return value.map(normalize);
  if (!isObject(value)) return value;
  switch (value[specialSigKey]) {
    case specialOutputValueSig: {
      const inner = value['value'] === undefined ? unknownValue : normalize(value['value']);
      return value['secret'] === true ? secret(inner) : inner;
    }
    case specialResourceSig: {
      const id = value['id'];
      if (id === undefined) return value['urn'] ?? null;
      return id === '' ? unknownValue : id;
    }
    default:
      return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, normalize(item)]));
  }
}

/** The same properties with no secret wrapped: what a provider that does not accept secrets is given. */
export function plain(properties: Properties): Properties {
  return toProperties(plainValue(properties));
}

export function plainValue(value: Value): Value {
  if (Array.isArray(value)) return value.map(plainValue);
  if (isSecret(value)) return plainValue(value.value);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plainValue(item)]));
}

function containsSecret(value: Value): boolean {
  if (isSecret(value)) return true;
  if (Array.isArray(value)) return value.some(containsSecret);
  return isObject(value) && Object.values(value).some(containsSecret);
}

/**
 * Marks again as secret what a provider gave back plain: by key, as the engine does it. Objects recurse; an array
 * that held a secret is secret as a whole.
 */
export function markSecrets(outputs: Properties, inputs: Properties): Properties {
  const marked: Properties = {};
  for (const [name, output] of Object.entries(outputs)) {
    marked[name] = Object.hasOwn(inputs, name) ? markSecret(output, inputs[name] ?? null) : output;
  }
  return marked;
}

function markSecret(output: Value, input: Value): Value {
  if (isSecret(output)) return output;
  if (isSecret(input) || (Array.isArray(input) && containsSecret(input))) return secret(output);
  return isObject(output) && isObject(input) ? markSecrets(output, input) : output;
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
