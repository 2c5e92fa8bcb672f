import { contract, PROPERTY_TYPES } from 'audience-core/internal';
import * as z from 'zod/mini';
import { ANSWERS, LIST_ANSWERS } from '../../src/contact-file/consent.js';
import { functions } from '../../src/functions/registry.js';
import { eventSchema, recordShape } from '../../src/resources/contact-record/fields.js';
import type { Behaviour } from '../../src/resources/behaviour.js';
import { ENVIRONMENT, SECRET_SETTINGS, settingsSchema } from '../../src/engine/connection.js';
import { PACKAGE, registry, tokenOf } from '../../src/engine/registry.js';
import { examples, type Programs } from './examples.js';
import { asJson, objectSpec, type ObjectSpec, type PropertySpec } from './property-spec.js';
import { ARGUMENT_TEXTS, FUNCTION_TEXTS, RESOURCE_TEXTS, TYPE_TEXTS, type Text } from './descriptions.js';

/** From the package's manifest. */
interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly author: { readonly name: string };
  readonly repository: { readonly url: string };
}

/** Module of the type tokens of `pulumi-audience` for TypeScript. */
const DYNAMIC_MODULE = 'pulumi-nodejs:dynamic/audience';

const TYPES: Readonly<Record<keyof typeof TYPE_TEXTS, z.ZodMiniType>> = {
  PropertyType: z.enum(PROPERTY_TYPES),
  PropertyList: z.enum(['all', 'custom']),
  ListConsent: z.enum(LIST_ANSWERS),
  ConsentAnswer: z.enum(ANSWERS),
  CreationEvent: eventSchema,
  ContactRecord: z.object(recordShape),
  ContactPropertyInfo: contract.listContactProperties.response.def.element,
  SubscriptionGroup: contract.listSubscriptionGroups.response.def.element,
  TransactionalEmail: contract.listTransactionalEmails.response.shape.data.def.element,
};

const REFERENCES: ReadonlyMap<string, string> = new Map(
  Object.entries(TYPES).map(([name, schema]) => [JSON.stringify(asJson(schema)), tokenOf(name, 'type')]),
);

/** Pulumi's schema of the package, generated from the schemas that the checks use. */
export function packageSpec({ name, version, author, repository }: Manifest): Record<string, unknown> {
  const { properties } = described(
    objectSpec(asJson(settingsSchema), REFERENCES),
    ARGUMENT_TEXTS,
    SECRET_SETTINGS,
  );
  const provider = mapped(properties, (setting, spec) => {
    const variable = new Map(Object.entries(ENVIRONMENT)).get(setting);
    return [setting, variable === undefined ? spec : { ...spec, defaultInfo: { environment: [variable] } }];
  });
  const address = repository.url.replace(/^git\+|\.git$/g, '');
  // As Pulumi derives it from the repository.
  const programs = examples(`${address.replace('https://', '')}/sdk/go/${PACKAGE}`);
  return {
    name: PACKAGE,
    displayName: 'Audience',
    version,
    description:
      'Contact properties and contacts of the Audience service: mistakes caught at preview, nothing done twice.',
    keywords: ['pulumi', 'audience', 'contacts', 'email', 'category/utility', 'kind/native'],
    license: 'MIT',
    publisher: author.name,
    repository: address,
    homepage: `${address}/tree/main/pulumi-provider#readme`,
    logoUrl: `${address}/raw/main/n8n-nodes/icons/audience.svg`,
    // A release serves the tarballs of `npm run pack:plugin` there.
    pluginDownloadURL: `${address}/releases/download/${name}@${version}`,
    meta: { moduleFormat: '(.*)' },
    config: { variables: provider },
    provider: {
      description:
        'A service to declare contacts in. A program may have several, each with its own address and key.',
      inputProperties: provider,
    },
    types: typeSpecs(),
    resources: mapped(registry, (name, behaviour) => [
      tokenOf(name, 'type'),
      resourceSpec(name, behaviour, programs[name]),
    ]),
    functions: mapped(functions, (name, { args, result }) => [
      tokenOf(name, 'function'),
      {
        description: FUNCTION_TEXTS[name].description,
        inputs: functionSide(name, args),
        outputs: functionSide(name, result),
      },
    ]),
    language: {
      nodejs: { respectSchemaVersion: true },
      python: { respectSchemaVersion: true, pyproject: { enabled: true } },
      go: { respectSchemaVersion: true, generateResourceContainerTypes: true },
      csharp: { respectSchemaVersion: true },
    },
  };
}

function typeSpecs(): Record<string, unknown> {
  return mapped(TYPES, (name, schema) => {
    const { description, fields }: Text = TYPE_TEXTS[name];
    const json = asJson(schema);
    const values = z.safeParse(z.object({ enum: z.array(z.string()) }), json);
    if (!values.success) {
      const others = new Map([...REFERENCES].filter(([, token]) => token !== tokenOf(name, 'type')));
      return [
        tokenOf(name, 'type'),
        { description, type: 'object', ...described(objectSpec(json, others), fields) },
      ];
    }
    const enumeration = values.data.enum.map((value) => ({
      name: value.replaceAll(/(?:^| )\w/g, (start) => start.trim().toUpperCase()),
      value,
      description: textOf(fields, value),
    }));
    return [tokenOf(name, 'type'), { description, type: 'string', enum: enumeration }];
  });
}

function resourceSpec(
  name: keyof typeof registry,
  behaviour: Behaviour,
  programs: Programs,
): Record<string, unknown> {
  const { description, fields }: Text = RESOURCE_TEXTS[name];
  const json = asJson(behaviour.schema);
  const kept = objectSpec(json, REFERENCES);
  const contacts: PropertySpec = {
    type: 'array',
    items: { $ref: `#/types/${tokenOf('ContactRecord', 'type')}` },
  };
  const given = name === 'contacts' ? { ...kept.properties, contacts } : kept.properties;
  const inputs = described({ ...kept, properties: given }, fields, behaviour.secrets);
  const outputs = objectSpec(asJson(behaviour.outputs ?? z.object({})), REFERENCES);
  const all = described(outputs, fields);
  return {
    description: `${description}\n\n${exampleOf(programs)}`,
    properties: { ...inputs.properties, ...all.properties },
    required: [...inputs.required, ...all.required],
    inputProperties: inputs.properties,
    requiredInputs: inputs.required,
    aliases: [{ type: tokenOf(name, 'type').replace(`${PACKAGE}:index`, DYNAMIC_MODULE) }],
  };
}

function functionSide(name: keyof typeof functions, schema: z.ZodMiniType): Record<string, unknown> {
  return {
    type: 'object',
    ...described(objectSpec(asJson(schema), REFERENCES), FUNCTION_TEXTS[name].fields),
  };
}

function described(
  { properties, required }: ObjectSpec,
  texts: Readonly<Record<string, string>>,
  secrets: readonly string[] = [],
): ObjectSpec {
  const withTexts = Object.entries(properties).map(([name, spec]): [string, PropertySpec] => [
    name,
    { ...spec, description: textOf(texts, name), ...(secrets.includes(name) ? { secret: true } : {}) },
  ]);
  return { properties: Object.fromEntries(withTexts), required };
}

/** @throws Error for a field without a description. */
function textOf(texts: Readonly<Record<string, string>>, name: string): string {
  const text = texts[name];
  if (text === undefined) throw new Error(`'${name}' has no description.`);
  return text;
}

/** Programs in the format of Pulumi's documentation. */
function exampleOf(programs: Programs): string {
  const blocks = Object.entries(programs).map(
    ([language, code]) => `\`\`\`${language}\n${code.trim()}\n\`\`\``,
  );
  return `{{% examples %}}\n## Example Usage\n{{% example %}}\n\n${blocks.join('\n')}\n\n{{% /example %}}\n{{% /examples %}}`;
}

function mapped<Key extends string, Value>(
  table: Readonly<Record<Key, Value>>,
  change: (name: Key, value: Value) => readonly [string, unknown],
): Record<string, unknown> {
  const names: Key[] = [];
  for (const name in table) names.push(name);
  return Object.fromEntries(names.map((name) => change(name, table[name])));
}
