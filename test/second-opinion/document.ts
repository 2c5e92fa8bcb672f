import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse as parseYaml } from 'yaml';
import * as z from 'zod/v4-mini';

const schemaSchema = z.union([z.boolean(), z.record(z.string(), z.unknown())]);

const content = z.object({ 'application/json': z.object({ schema: schemaSchema }) });

const parameterSchema = z.object({
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  required: z.boolean(),
  schema: schemaSchema,
});

const operationSchema = z.object({
  parameters: z._default(z.array(parameterSchema), []),
  requestBody: z.optional(z.object({ required: z.boolean(), content })),
  /** Bodies of errors are left open. */
  responses: z.record(z.string(), z.object({ content: z.optional(content) })),
});

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

const pathItemSchema = z.object({
  parameters: z._default(z.array(parameterSchema), []),
  get: z.optional(operationSchema),
  post: z.optional(operationSchema),
  put: z.optional(operationSchema),
  patch: z.optional(operationSchema),
  delete: z.optional(operationSchema),
});

const documentSchema = z.object({
  security: z.array(z.record(z.string(), z.array(z.string()))),
  components: z.object({
    securitySchemes: z.record(z.string(), z.object({ type: z.string(), scheme: z.string() })),
  }),
  paths: z.record(z.string(), pathItemSchema),
});

/** One endpoint of an OpenAPI document, with its references resolved. */
export interface Endpoint extends z.infer<typeof operationSchema> {
  readonly method: string;
  readonly path: string;
  /** Ways to prove who calls, as `http bearer`. */
  readonly security: readonly string[];
}

/** The endpoints of a parsed OpenAPI document; those without parameters in their path come first, as they win. */
export function readDocument(raw: unknown): Endpoint[] {
  const { paths, security, components } = documentSchema.parse(resolve(raw, raw));
  const ways = security.flatMap(Object.keys).map((name) => {
    const scheme = components.securitySchemes[name];
    return `${scheme?.type ?? name} ${scheme?.scheme ?? ''}`;
  });
  return Object.entries(paths)
    .sort(([a], [b]) => Number(a.includes('{')) - Number(b.includes('{')))
    .flatMap(([path, { parameters, ...operations }]) =>
      METHODS.flatMap((method) => {
        const operation = operations[method];
        if (operation === undefined) return [];
        return [
          {
            ...operation,
            method: method.toUpperCase(),
            path,
            security: ways,
            parameters: [...parameters, ...operation.parameters],
          },
        ];
      }),
    );
}

/** The value with every `$ref` replaced by what it points to. */
function resolve(value: unknown, root: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => resolve(item, root));
  if (typeof value !== 'object' || value === null) return value;
  if ('$ref' in value && typeof value.$ref === 'string') {
    const target = value.$ref
      .split('/')
      .slice(1)
      .reduce<unknown>((node, name) => z.record(z.string(), z.unknown()).parse(node)[name], root);
    return resolve(target, root);
  }
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, resolve(inner, root)]));
}

/** The interface as it was read by hand. */
export const byHand = readDocument(parseYaml(readFileSync(join(__dirname, 'openapi.yaml'), 'utf8')));

/** The interface as the schemas of the core tell it. */
export function generated(): Endpoint[] {
  return readDocument(JSON.parse(readFileSync(join(__dirname, '../../shared/openapi.json'), 'utf8')));
}
