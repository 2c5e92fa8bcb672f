import { readFileSync } from 'node:fs';
import path from 'node:path';
import manifest from '../../package.json';
import schema from './schema.json';
import type { ContactArgs, ContactPropertyArgs, ContactsArgs } from '../index.js';
import { packageSpec } from '../../scripts/schema/package-spec.js';

type Resources = typeof schema.resources;

interface Classes {
  readonly 'audience:index:ContactProperty': ContactPropertyArgs;
  readonly 'audience:index:Contact': ContactArgs;
  readonly 'audience:index:Contacts': ContactsArgs;
}

/** `true`, or the inputs that only one of both has: the plugin's resource or the class for TypeScript. */
type Same<Ours, Theirs> = [Ours, Theirs] extends [Theirs, Ours]
  ? true
  : Exclude<Ours, Theirs> | Exclude<Theirs, Ours>;

describe('the schema of the native plugin', () => {
  it('is what the schemas of the checks make of it: otherwise run npm run schema -w pulumi-audience', () => {
    expect(schema).toEqual(packageSpec(manifest));
  });

  it('has the inputs of the classes for TypeScript', () => {
    // The compiler names an input that is missing on one side.
    const same: {
      [Token in keyof Classes]: Same<keyof Classes[Token], keyof Resources[Token]['inputProperties']>;
    } = {
      'audience:index:Contact': true,
      'audience:index:ContactProperty': true,
      'audience:index:Contacts': true,
    };
    expect(Object.keys(same).sort()).toEqual(Object.keys(schema.resources).sort());
  });

  it('has no input of Contacts that neither the README nor docs/files.md names', () => {
    const folder = path.join(__dirname, '../..');
    const pages = ['README.md', 'docs/files.md'].map((page) => readFileSync(path.join(folder, page), 'utf8'));
    const inputs = Object.keys(schema.resources['audience:index:Contacts'].inputProperties);
    expect(inputs.filter((name) => !new RegExp(`\`${name}\\b`).test(pages.join('\n')))).toEqual([]);
  });

  it('has classes for TypeScript that take no wrong type and no wrong input', () => {
    // @ts-expect-error: no type of a property
    const property: ContactPropertyArgs = { name: 'plan', type: 'text' };
    // @ts-expect-error: only false
    const contact: ContactArgs = { email: 'ada@example.com', subscribed: true };
    expect([property, contact]).toHaveLength(2);
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
