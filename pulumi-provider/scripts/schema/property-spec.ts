import * as z from 'zod/mini';

/** A property of Pulumi's package schema. */
export interface PropertySpec {
  readonly type?: string;
  readonly $ref?: string;
  readonly items?: PropertySpec;
  readonly additionalProperties?: PropertySpec;
  readonly oneOf?: readonly PropertySpec[];
  readonly description?: string;
  readonly secret?: true;
}

/** Properties of an object, and the required ones. */
export interface ObjectSpec {
  readonly properties: Readonly<Record<string, PropertySpec>>;
  readonly required: readonly string[];
}

/** The part of JSON Schema that is read. */
const jsonSchema = z.looseObject({
  type: z.optional(z.union([z.string(), z.array(z.string())])),
  enum: z.optional(z.array(z.string())),
  anyOf: z.optional(z.array(z.unknown())),
  items: z.optional(z.unknown()),
  properties: z.optional(z.record(z.string(), z.unknown())),
  required: z.optional(z.array(z.string())),
  additionalProperties: z.optional(z.unknown()),
});

/** A zod schema as JSON, to recognize the same schema. */
export function asJson(schema: z.ZodMiniType): unknown {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return rest;
}

/**
 * Pulumi's form of an object's schema.
 *
 * @param references tokens of shared types, by the JSON of their schema.
 * @throws Error for a schema that Pulumi cannot express.
 */
export function objectSpec(schema: unknown, references: ReadonlyMap<string, string>): ObjectSpec {
  const { properties = {}, required = [] } = jsonSchema.parse(schema);
  return {
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, propertySpec(property, references)]),
    ),
    required,
  };
}

function propertySpec(schema: unknown, references: ReadonlyMap<string, string>): PropertySpec {
  const reference = references.get(JSON.stringify(schema));
  if (reference !== undefined) return { $ref: `#/types/${reference}` };
  const { type: types, enum: values, items, additionalProperties, anyOf } = jsonSchema.parse(schema);
  // As plain text, every SDK would accept a typing error.
  if (values !== undefined) throw new Error(`${values.join(', ')} need a shared type of the schema.`);
  const [type, ...others] = [types].flat();
  const choices = anyOf ?? (others.length > 0 ? [type, ...others].map((one) => ({ type: one })) : []);
  if (choices.length > 0) {
    // Pulumi has no null, and no choice of one.
    const specs = choices.filter((one) => !isNull(one)).map((one) => propertySpec(one, references));
    const [first, second] = specs;
    return first !== undefined && second === undefined ? first : { oneOf: specs };
  }
  if (type === 'array') return { type, items: propertySpec(items, references) };
  if (type === 'object' && additionalProperties !== undefined) {
    return { type, additionalProperties: propertySpec(additionalProperties, references) };
  }
  if (type === undefined) return { $ref: 'pulumi.json#/Any' };
  if (['string', 'number', 'integer', 'boolean'].includes(type)) return { type };
  throw new Error(`Pulumi's schema has no words for ${JSON.stringify(schema)}.`);
}

function isNull(schema: unknown): boolean {
  return jsonSchema.parse(schema).type === 'null';
}
