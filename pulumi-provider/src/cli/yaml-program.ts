import { contactSchemaOf } from 'audience-core/internal';
import type { ContactProperty } from 'audience-core';
import { tokenOf } from '../engine/tokens.js';
import { notDeclared } from './program.js';
import type { ProjectFiles } from './program.js';

const TYPE = tokenOf('contactProperty', 'type');

/**
 * A Pulumi project in YAML, for the native plugin, that declares the properties that are there: its first `pulumi up`
 * manages them and writes nothing. Beside it stands a file for `pulumi import --file`, for programs in other languages.
 *
 * @param name project name.
 */
export function yamlProjectFor(name: string, properties: readonly ContactProperty[]): ProjectFiles {
  const declared = Object.entries(contactSchemaOf(properties));
  // Quoted, as a property may be called 'no' or 'null'; a JSON text is one of YAML too.
  const resources = declared.map(
    ([key, type]) =>
      `  ${JSON.stringify(resourceNameOf(key))}:\n    type: ${TYPE}\n    properties:\n      name: ${JSON.stringify(key)}\n      type: ${type}\n`,
  );
  const notes = notDeclared(properties).map((note) => `# ${note}\n`);
  const imports = {
    resources: declared.map(([key]) => ({ type: TYPE, name: resourceNameOf(key), id: key })),
  };
  return {
    'Pulumi.yaml': `name: ${JSON.stringify(name)}\ndescription: Contact properties of Audience\nruntime: yaml\n${
      resources.length === 0 ? 'resources: {}\n' : `resources:\n${resources.join('')}`
    }${notes.join('')}`,
    'import.json': `${JSON.stringify(imports, null, 2)}\n`,
  };
}

/** `null` is a name that the programs of `pulumi import` have taken; no property can be called `null_`. */
function resourceNameOf(key: string): string {
  return key === 'null' ? 'null_' : key;
}
