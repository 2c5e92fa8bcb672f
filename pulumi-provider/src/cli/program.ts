import { contactSchemaOf, propertyNameProblem } from 'audience-core/internal';
import type { ContactProperty } from 'audience-core';

/** Files of a Pulumi project, by name. */
export type ProjectFiles = Readonly<Record<string, string>>;

/**
 * A Pulumi project in TypeScript that declares the properties that are there, so that its first `pulumi up`
 * manages them and writes nothing.
 *
 * @param name project name.
 * @param version version of this package, for the project's package.json.
 */
export function projectFor(
  name: string,
  version: string,
  properties: readonly ContactProperty[],
): ProjectFiles {
  const manifest = {
    name,
    private: true,
    main: 'index.ts',
    dependencies: { '@pulumi/pulumi': '^3.216.0', 'pulumi-audience': `^${version}` },
    devDependencies: { 'ts-node': '^10.9.2', typescript: '^6.0.3' },
  };
  const options = { target: 'es2022', module: 'nodenext', strict: true, skipLibCheck: true, noEmit: true };
  return {
    'Pulumi.yaml': `name: ${JSON.stringify(name)}\ndescription: Contact properties of Audience\nruntime: nodejs\n`,
    'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
    'tsconfig.json': `${JSON.stringify({ compilerOptions: options, files: ['index.ts'] }, null, 2)}\n`,
    'index.ts': programFor(properties),
  };
}

function programFor(properties: readonly ContactProperty[]): string {
  const schema = Object.entries(contactSchemaOf(properties));
  const lines = schema.map(([key, type]) => `    ${key}: '${type}',`);
  const declared = lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n  }`;
  return `import { ContactSchema } from 'pulumi-audience';

// The custom contact properties of the service. The first 'pulumi up' manages them and writes nothing.
// Contacts cannot be listed; declare those you want to manage with new schema.Contact(...).
export const schema = new ContactSchema('audience', {
  properties: ${declared},
});
${notDeclared(properties)
  .map((note) => `// ${note}\n`)
  .join('')}`;
}

/** A sentence for each custom property that no program can declare. */
export function notDeclared(properties: readonly ContactProperty[]): string[] {
  return properties
    .filter(({ key }) => propertyNameProblem(key) !== undefined)
    .map(
      ({ key, type }) =>
        `Not declared, as its name is not camelCase, or is reserved: ${JSON.stringify(key)} (${type})`,
    );
}
