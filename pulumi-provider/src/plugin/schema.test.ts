import manifest from '../../package.json';
import schema from './schema.json';
import { packageSpec } from '../../scripts/schema/package-spec.js';

describe('the schema of the native plugin', () => {
  it('is what the schemas of the checks make of it: otherwise run npm run schema -w pulumi-audience', () => {
    expect(schema).toEqual(packageSpec(manifest));
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
