import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { specialSecretSig, specialSigKey } from '@pulumi/pulumi/runtime/rpc';
import * as z from 'zod/v4';
import { isObject, isSecret, secret } from './values.js';
import type { Properties, Value } from './values.js';

/** A resource in state. */
export interface ResourceState {
  readonly urn: string;
  readonly type: string;
  readonly custom: boolean;
  readonly id?: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
  readonly parent?: string;
  readonly dependencies: readonly string[];
  readonly initErrors?: readonly string[];
  /** Outputs that are secret whatever the provider says. */
  readonly additionalSecretOutputs?: readonly string[];
  readonly retainOnDelete?: boolean;
  /** URN of the provider that the program gave it; the default one otherwise. */
  readonly provider?: string;
  /** Replaced by a newer one of the same name and still to be deleted. */
  readonly delete?: boolean;
}

const valueSchema: z.ZodType<Value> = z.lazy(() =>
  z.union([z.null(), z.boolean(), z.number(), z.string(), z.array(valueSchema), propertiesSchema]),
);
const propertiesSchema: z.ZodType<Properties> = z.record(z.string(), valueSchema);

const resourceSchema = z.object({
  urn: z.string(),
  type: z.string(),
  custom: z.boolean(),
  id: z.string().optional(),
  inputs: propertiesSchema,
  outputs: propertiesSchema,
  parent: z.string().optional(),
  dependencies: z.array(z.string()),
  initErrors: z.array(z.string()).optional(),
  additionalSecretOutputs: z.array(z.string()).optional(),
  retainOnDelete: z.boolean().optional(),
  provider: z.string().optional(),
  delete: z.boolean().optional(),
});

const documentSchema = z.object({
  version: z.literal(3),
  deployment: z.object({
    secrets_providers: z.object({ type: z.literal('passphrase'), state: z.object({ salt: z.string() }) }),
    resources: z.array(resourceSchema),
  }),
});

/**
 * The state of one stack in one file: written whole after every step, by way of a rename, so that a run that is
 * killed leaves the last complete state. Secrets are encrypted with a key made from a passphrase.
 */
export class StateFile {
  private salt: Buffer | undefined;
  private key: Buffer | undefined;
  private readonly texts = new WeakMap<ResourceState, string>();
  private writing: Promise<void> = Promise.resolve();
  private latest: readonly ResourceState[] = [];
  private queued = false;

  constructor(
    readonly path: string,
    private readonly passphrase: string,
  ) {}

  async read(): Promise<ResourceState[]> {
    const text = await this.readText();
    if (text === undefined) return [];
    const document = documentSchema.parse(JSON.parse(text));
    this.useSalt(Buffer.from(document.deployment.secrets_providers.state.salt, 'base64'));
    return document.deployment.resources.map((resource) => ({
      ...resource,
      inputs: this.decrypted(resource.inputs),
      outputs: this.decrypted(resource.outputs),
    }));
  }

  /** The file as it is, `undefined` when there is none yet. */
  async readText(): Promise<string | undefined> {
    try {
      return await readFile(this.path, 'utf8');
    } catch (error) {
      if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT')
        return undefined;
      throw error;
    }
  }

  /** Writes the state; done when these resources, or newer ones, are on disk. */
  async write(resources: readonly ResourceState[]): Promise<void> {
    this.latest = resources;
    if (!this.queued) {
      this.queued = true;
      this.writing = this.writing.then(() => this.flush());
    }
    await this.writing;
  }

  private async flush(): Promise<void> {
    this.queued = false;
    const salt = this.salt ?? this.useSalt(randomBytes(16));
    const head = { type: 'passphrase', state: { salt: salt.toString('base64') } };
    const resources = this.latest.map((resource) => this.text(resource)).join(',\n');
    const document = `{"version":3,"deployment":{"secrets_providers":${JSON.stringify(head)},"resources":[\n${resources}\n]}}\n`;
    await mkdir(path.dirname(this.path), { recursive: true });
    const next = `${this.path}.next`;
    await writeFile(next, document, { mode: 0o600 });
    await rename(next, this.path);
  }

  private useSalt(salt: Buffer): Buffer {
    this.salt = salt;
    this.key = scryptSync(this.passphrase, salt, 32);
    return salt;
  }

  private text(resource: ResourceState): string {
    let text = this.texts.get(resource);
    if (text === undefined) {
      text = JSON.stringify({
        ...resource,
        inputs: this.encrypted(resource.inputs),
        outputs: this.encrypted(resource.outputs),
      });
      this.texts.set(resource, text);
    }
    return text;
  }

  private encrypted(properties: Properties): Properties {
    return mapValues(properties, (value) => this.encryptedValue(value));
  }

  private encryptedValue(value: Value): Value {
    if (Array.isArray(value)) return value.map((item) => this.encryptedValue(item));
    if (!isObject(value)) return value;
    if (!isSecret(value)) return this.encrypted(value);
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.usedKey(), iv);
    const body = Buffer.concat([cipher.update(JSON.stringify(value.value), 'utf8'), cipher.final()]);
    const ciphertext = Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64');
    return { [specialSigKey]: specialSecretSig, ciphertext };
  }

  private decrypted(properties: Properties): Properties {
    return mapValues(properties, (value) => this.decryptedValue(value));
  }

  private decryptedValue(value: Value): Value {
    if (Array.isArray(value)) return value.map((item) => this.decryptedValue(item));
    if (!isObject(value)) return value;
    const { ciphertext } = value;
    if (value[specialSigKey] !== specialSecretSig || typeof ciphertext !== 'string')
      return this.decrypted(value);
    const bytes = Buffer.from(ciphertext, 'base64');
    const decipher = createDecipheriv('aes-256-gcm', this.usedKey(), bytes.subarray(0, 12));
    decipher.setAuthTag(bytes.subarray(12, 28));
    const text = Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
    return secret(valueSchema.parse(JSON.parse(text)));
  }

  private usedKey(): Buffer {
    if (this.key === undefined) throw new Error(`The key of ${this.path} is not known yet.`);
    return this.key;
  }
}

function mapValues(properties: Properties, change: (value: Value) => Value): Properties {
  return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, change(value)]));
}
