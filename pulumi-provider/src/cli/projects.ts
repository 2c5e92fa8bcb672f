import { contactSchemaOf, propertyNameProblem } from 'audience-core/internal';
import type { ContactProperty } from 'audience-core';
import { tokenOf } from '../engine/tokens.js';

type ProjectFiles = Readonly<Record<string, string>>;
type MakeProject = (name: string, version: string, properties: readonly ContactProperty[]) => ProjectFiles;

/** Makes a project that declares the existing properties, in each format; `version` is that of this package. */
export const PROJECTS: Readonly<Record<string, MakeProject>> = { typescript, yaml };

const TYPE = tokenOf('contactProperty', 'type');

function typescript(name: string, version: string, properties: readonly ContactProperty[]): ProjectFiles {
  const manifest = {
    name,
    private: true,
    main: 'index.ts',
    dependencies: { '@pulumi/pulumi': '^3.216.0', 'pulumi-audience': `^${version}` },
    devDependencies: { 'ts-node': '^10.9.2', typescript: '^6.0.3' },
  };
  const options = { target: 'es2022', module: 'nodenext', strict: true, skipLibCheck: true, noEmit: true };
  const lines = Object.entries(contactSchemaOf(properties)).map(([key, type]) => `    ${key}: '${type}',`);
  const declared = lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n  }`;
  const program = `import { ContactSchema } from 'pulumi-audience';

// The custom contact properties of the service. The first 'pulumi up' manages them and writes nothing.
// Contacts cannot be listed; declare those you want to manage with new schema.Contact(...).
export const schema = new ContactSchema('audience', {
  properties: ${declared},
});
`;
  return {
    'Pulumi.yaml': pulumiYaml(name, 'nodejs'),
    'package.json': asText(manifest),
    'tsconfig.json': asText({ compilerOptions: options, files: ['index.ts'] }),
    'index.ts': program + notDeclared(properties, '//'),
  };
}

/** For the native plugin; `import.json` is for `pulumi import --file`. */
function yaml(name: string, _version: string, properties: readonly ContactProperty[]): ProjectFiles {
  // `pulumi import` cannot use the name `null`, and no property can be called `null_`.
  const declared = Object.entries(contactSchemaOf(properties)).map(([key, type]) => ({
    key,
    type,
    resource: key === 'null' ? 'null_' : key,
  }));
  // Quoted, as a property may be called 'no'; a JSON text is one of YAML too.
  const resources = declared.map(
    ({ key, type, resource }) =>
      `  ${JSON.stringify(resource)}:\n    type: ${TYPE}\n    properties:\n      name: ${JSON.stringify(key)}\n      type: ${type}\n`,
  );
  const program = resources.length === 0 ? 'resources: {}\n' : `resources:\n${resources.join('')}`;
  const imports = declared.map(({ key, resource }) => ({ type: TYPE, name: resource, id: key }));
  return {
    'Pulumi.yaml': pulumiYaml(name, 'yaml') + program + notDeclared(properties, '#'),
    'import.json': asText({ resources: imports }),
  };
}

function pulumiYaml(name: string, runtime: string): string {
  return `name: ${JSON.stringify(name)}\ndescription: Contact properties of Audience\nruntime: ${runtime}\n`;
}

function asText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function notDeclared(properties: readonly ContactProperty[], comment: string): string {
  return properties
    .filter(({ key }) => propertyNameProblem(key) !== undefined)
    .map(
      ({ key, type }) =>
        `${comment} Not declared, as its name is not camelCase, or is reserved: ${JSON.stringify(key)} (${type})\n`,
    )
    .join('');
}
