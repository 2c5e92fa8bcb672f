import { isRecord } from 'audience-core/internal';
import { UNKNOWN, type Raw } from '../resources/raw.js';

// Texts of Pulumi's provider protocol: importing them would load the whole SDK. A test compares them with it.
/** A value that is not known yet. */
export const UNKNOWN_TEXT = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';
export const SIGNATURE_KEY = '4dabf18193072939515e22adb298388d';
/** Signature of a secret: the value itself is under `value`. */
export const SECRET_SIGNATURE = '1b47061264138c4ac30d75fd1eb44270';

/**
 * Decodes the engine's properties: secrets to their values, and unknown values to `UNKNOWN`.
 *
 * @param onSecret is called for each secret value, with the property that has it.
 */
export function fromEngine(
  properties: unknown,
  onSecret: (secret: unknown, property: string) => void = () => undefined,
): Raw {
  const { __provider: _, ...rest } = isRecord(properties) ? properties : {};
  return Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [name, decode(value, (secret) => onSecret(secret, name))]),
  );
}

function decode(value: unknown, onSecret: (secret: unknown) => void): unknown {
  if (value === UNKNOWN_TEXT) return UNKNOWN;
  if (Array.isArray(value)) return value.map((inner) => decode(inner, onSecret));
  if (!isRecord(value)) return value;
  if (value[SIGNATURE_KEY] === SECRET_SIGNATURE) {
    const secret = decode(value['value'], onSecret);
    onSecret(secret);
    return secret;
  }
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, decode(inner, onSecret)]));
}

type EngineValue = string | number | boolean | null | EngineValue[] | { [name: string]: EngineValue };

/** Encodes properties for the engine, those that `secrets` names as secrets. */
export function toEngine(properties: Raw, secrets: readonly string[] = []): Record<string, EngineValue> {
  const entries = Object.entries(properties).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    entries.map(([name, value]): [string, EngineValue] => {
      const encoded = encode(value);
      return [name, secrets.includes(name) ? { [SIGNATURE_KEY]: SECRET_SIGNATURE, value: encoded } : encoded];
    }),
  );
}

/** What JSON cannot express becomes `null`. */
function encode(value: unknown): EngineValue {
  if (value === UNKNOWN) return UNKNOWN_TEXT;
  if (Array.isArray(value)) return value.map(encode);
  if (isRecord(value)) return toEngine(value);
  const isScalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isScalar ? value : null;
}
