import { isRecord } from 'audience-core/internal';
import { Struct } from 'google-protobuf/google/protobuf/struct_pb.js';
import type { JavaScriptValue } from 'google-protobuf/google/protobuf/struct_pb.js';
import { fromEngine, SECRET_SIGNATURE, SIGNATURE_KEY, toEngine } from '../engine/codec.js';
import type { Secrets } from '../engine/secrets.js';
import type { Raw } from '../resources/raw.js';

/** Properties of a message: secrets as their values, what is not known yet as `UNKNOWN`. */
export function fromStruct(
  struct: Struct | undefined,
  onSecret?: (secret: unknown, property: string) => void,
): Raw {
  return struct === undefined ? {} : fromEngine(struct.toJavaScript(), onSecret);
}

/** Properties for a message; those that are named as secrets are kept as such. */
export function toStruct(properties: Raw, secrets: readonly string[] = []): Struct {
  const entries = Object.entries(toEngine(properties)).map(([name, value]): [string, JavaScriptValue] => {
    const plain = asJavaScript(value);
    return [name, secrets.includes(name) ? { [SIGNATURE_KEY]: SECRET_SIGNATURE, value: plain } : plain];
  });
  return Struct.fromJavaScript(Object.fromEntries(entries));
}

/** What JSON cannot express becomes `null`. */
function asJavaScript(value: unknown): JavaScriptValue {
  if (Array.isArray(value)) return value.map(asJavaScript);
  if (isRecord(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, asJavaScript(inner)]));
  }
  const isScalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isScalar ? value : null;
}

/** The properties of one call: what comes in as a secret goes out as one, and is in no message. */
export class CallValues {
  readonly #secrets: Set<string>;

  /**
   * @param always names of properties that are secrets whatever the program says.
   * @param hidden gets the values that no message may show.
   */
  constructor(
    always: readonly string[],
    private readonly hidden: Secrets,
  ) {
    this.#secrets = new Set(always);
  }

  /** Names of the properties that are secrets. */
  get secrets(): readonly string[] {
    return [...this.#secrets];
  }

  /** @param isCurrent whether the properties go out again; else they are those of an earlier run. */
  read(struct: Struct | undefined, isCurrent = true): Raw {
    return fromStruct(struct, (secret, property) => {
      // No message has a value of a list of contacts, and it may be long.
      if (property !== 'contacts') this.hidden.add(secret);
      if (isCurrent) this.#secrets.add(property);
    });
  }

  write(properties: Raw): Struct {
    return toStruct(properties, this.secrets);
  }
}
