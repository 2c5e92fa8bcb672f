import * as z from 'zod/mini';
import manifest from '../../package.json';
import schema from './schema.json';
import { packageSpec } from '../../scripts/schema/package-spec.js';

/**
 * Pulumi's schema of packages, as its documentation has it, in what we use of it: strict, so that a word that Pulumi
 * does not know is found without its CLI.
 */
const token = z.string().check(z.regex(/^audience:index:[A-Za-z]+$/));
const reference = z
  .string()
  .check(z.regex(/^(#\/types\/audience:index:[A-Za-z]+|pulumi\.json#\/Any)$/), z.refine(isDefined));
const scalar = z.strictObject({ type: z.enum(['string', 'number', 'integer', 'boolean']) });
const type: z.ZodMiniType = z.lazy(() =>
  z.union([
    scalar,
    z.strictObject({ $ref: reference }),
    z.strictObject({ type: z.literal('array'), items: type }),
    z.strictObject({ type: z.literal('object'), additionalProperties: type }),
    z.strictObject({ oneOf: z.array(type) }),
  ]),
);
const described = z.object({
  description: z.string().check(z.minLength(4)),
  secret: z.optional(z.boolean()),
  defaultInfo: z.optional(z.strictObject({ environment: z.array(z.string()) })),
});
const property = z.pipe(
  z.looseObject(described.shape),
  z.transform(({ description: _, secret: __, defaultInfo: ___, ...rest }) => type.parse(rest)),
);
const properties = z.record(z.string(), property);
const fields = { properties, required: z.optional(z.array(z.string())) };
const object = z.strictObject({ description: z.optional(z.string()), type: z.literal('object'), ...fields });
const enumeration = z.strictObject({
  description: z.string(),
  type: z.literal('string'),
  enum: z.array(
    z.strictObject({
      name: z.string().check(z.regex(/^[A-Z]\w*$/)),
      value: z.string(),
      description: z.string(),
    }),
  ),
});
const resource = z.strictObject({
  description: z.string(),
  ...fields,
  inputProperties: properties,
  requiredInputs: z.optional(z.array(z.string())),
  aliases: z.array(z.strictObject({ type: z.string().check(z.regex(/^pulumi-nodejs:dynamic/)) })),
});
const packageSchema = z.strictObject({
  ...{ name: z.literal('audience'), displayName: z.string(), version: z.string(), description: z.string() },
  ...{
    keywords: z.array(z.string()),
    license: z.string(),
    publisher: z.string(),
    repository: z.url(),
    homepage: z.url(),
    logoUrl: z.url(),
    pluginDownloadURL: z.url(),
  },
  meta: z.strictObject({ moduleFormat: z.string() }),
  config: z.strictObject({ variables: properties }),
  provider: z.strictObject({ description: z.string(), inputProperties: properties }),
  types: z.record(token, z.union([object, enumeration])),
  resources: z.record(token, resource),
  functions: z.record(token, z.strictObject({ description: z.string(), inputs: object, outputs: object })),
  language: z.record(z.enum(['nodejs', 'python', 'go', 'csharp']), z.record(z.string(), z.unknown())),
});

function isDefined(text: string): boolean {
  return text === 'pulumi.json#/Any' || Object.hasOwn(schema.types, text.replace('#/types/', ''));
}

describe('the schema of the native plugin', () => {
  it('is what the schemas of the checks make of it: otherwise run npm run schema -w pulumi-audience', () => {
    expect(schema).toEqual(packageSpec(manifest));
  });

  it('has only what the schema of packages knows, and every type that it names', () => {
    expect(z.safeParse(packageSchema, schema).error?.issues ?? []).toEqual([]);
  });

  it('names no property as required that is not there', () => {
    for (const { properties: all, required, inputProperties, requiredInputs } of Object.values(
      schema.resources,
    )) {
      expect(Object.keys(all)).toEqual(expect.arrayContaining(required));
      expect(Object.keys(inputProperties)).toEqual(expect.arrayContaining(requiredInputs));
    }
  });

  it('has an example in each language for every resource, and keeps what is secret', () => {
    for (const { description } of Object.values(schema.resources)) {
      for (const language of ['typescript', 'python', 'go', 'yaml']) {
        expect(description).toContain(`\`\`\`${language}\n`);
      }
    }
    expect(schema.provider.inputProperties.apiKey.secret).toBe(true);
    expect(schema.resources['audience:index:Contacts'].inputProperties.contacts.secret).toBe(true);
  });
});
