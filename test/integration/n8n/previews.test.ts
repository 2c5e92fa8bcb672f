import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { contactFieldEntries } from 'audience-core/internal';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import * as z from 'zod/v4-mini';
import { emailParameters, locator, mapped, setUpForFile } from './support.js';

/** Where n8n looks for what the editor shows of an output before the node has run. */
const PREVIEWS = join(
  dirname(require.resolve('n8n-nodes-audience/package.json')),
  'dist/nodes/Audience/__schema__/v1.0.0',
);
const previewSchema = z.object({
  type: z.literal('object'),
  properties: z.record(z.string(), z.object({ type: z.string() })),
});

const WHO = locator('email', 'ada@example.com');

/** A run of every operation, with every field of its output filled. */
const RUNS: Record<string, INodeParameters> = {
  'contact/get': { contact: WHO },
  'contact/unsubscribe': { contact: WHO },
  'contact/update': { contact: WHO, fields: mapped({ lastName: 'Lovelace' }) },
  'contact/upsert': { email: 'ada@example.com', userId: 'user-ada', eventName: 'contactImported' },
  'contactProperty/create': { name: 'planName', type: 'string' },
  'contactProperty/getAll': {},
  'email/getAll': {},
  'email/send': emailParameters(),
  'event/send': { email: 'ada@example.com', userId: 'user-ada', eventName: 'signedUp' },
  'subscriptionGroup/getAll': {},
};

/** A value for each type of field. */
const VALUES = {
  string: 'text',
  number: 1,
  boolean: false,
  date: 1_767_225_600,
  groups: { 'group-news': true },
};
const FIELDS = contactFieldEntries.filter(([, { setBy }]) => setBy.includes('updateContact'));

const setup = setUpForFile({
  seed: {
    designs: [{ id: 'design-welcome', name: 'Welcome', subject: '{{firstName}} {{planName}}' }],
    subscriptionGroups: [{ id: 'group-news', name: 'News', description: 'What is new' }],
    contacts: [
      {
        ...Object.fromEntries(FIELDS.map(([name, { type }]) => [name, VALUES[type]])),
        ...{ email: 'ada@example.com', userId: 'user-ada' },
      },
    ],
  },
});

test('there is a preview for every operation, and no other', () => {
  const found = readdirSync(PREVIEWS).flatMap((resource) =>
    readdirSync(join(PREVIEWS, resource)).map((file) => `${resource}/${file.replace('.json', '')}`),
  );
  expect(found.sort()).toEqual(Object.keys(RUNS).sort());
  const { properties } = setup.n8n.nodeType('n8n-nodes-audience.audience').description;
  const offered = properties
    .filter(({ name }) => name === 'operation')
    .flatMap(({ displayOptions, options = [] }) => {
      const resource = displayOptions?.show?.['resource']?.find((value) => typeof value === 'string') ?? '';
      return options.map((option) => `${resource}/${'value' in option ? String(option.value) : ''}`);
    });
  expect(offered.sort()).toEqual(Object.keys(RUNS).sort());
});

test.each(Object.entries(RUNS))('the preview of %s matches the output', async (name, parameters) => {
  const [resource = '', operation = ''] = name.split('/');
  const { items, error } = await setup.run({ ...parameters, resource, operation }, [
    { email: 'ada@example.com', firstName: 'Ada' },
  ]);
  expect(error).toBeUndefined();
  const preview = previewSchema.parse(JSON.parse(readFileSync(join(PREVIEWS, `${name}.json`), 'utf8')));
  const types = Object.entries(preview.properties).map(([field, { type }]) => [field, type]);
  expect(typesOf(items[0]?.json ?? {})).toEqual(Object.fromEntries(types));
});

function typesOf(json: IDataObject): Record<string, string> {
  return Object.fromEntries(
    Object.entries(json).map(([field, value]) => [field, Array.isArray(value) ? 'array' : typeof value]),
  );
}
