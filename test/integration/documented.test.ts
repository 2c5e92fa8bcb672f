import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { AudienceClient } from 'audience-core';
import { contract } from 'audience-core/internal';
import type { INodeProperties } from 'n8n-workflow';
import * as z from 'zod/v4-mini';
import { createN8nEngine } from '../hosts/n8n-engine/index.js';

const readme = (folder: string): string =>
  readFileSync(resolve(__dirname, '../..', folder, 'README.md'), 'utf8');

/** What stands in the cells of the tables of a page, without the blanks around. */
const rowsOf = (page: string): string[][] =>
  page
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split('|').map((cell) => cell.trim()));

test.each(Object.values(contract))(
  'the README of the client has a call for $method $path',
  ({ method, path }) => {
    const row = rowsOf(readme('shared')).find((cells) => cells.includes(`${method} ${path}`));
    const [, resource = '', call = ''] = /^`(\w+)\.(\w+)\(/.exec(row?.[1] ?? '') ?? [];
    const client: unknown = new AudienceClient({ baseUrl: 'https://api.example.com', apiKey: 'key' });
    const found = z.looseObject({ [resource]: z.looseObject({ [call]: z.unknown() }) }).safeParse(client);
    expect([row?.[1], found.success]).toEqual([expect.any(String), true]);
  },
);

const namesSchema = z.array(z.looseObject({ name: z.string(), displayName: z.optional(z.string()) }));
const resourcesSchema = z.array(z.looseObject({ name: z.string(), value: z.string() }));

test('the README of the node has each operation and each option', async () => {
  const { properties } = (await createN8nEngine()).nodeType('n8n-nodes-audience.audience').description;
  const offered = (field: string): INodeProperties[] => properties.filter(({ name }) => name === field);
  const choices = (field: string) => offered(field).flatMap(({ options }) => namesSchema.parse(options));
  const page = readme('n8n-nodes');
  const [resources] = offered('resource').map(({ options }) => resourcesSchema.parse(options));
  const operations = offered('operation').flatMap(({ displayOptions, options }) => {
    const resource = resources?.find(({ value }) => displayOptions?.show?.['resource']?.includes(value));
    return namesSchema.parse(options).map(({ name }) => `${resource?.name} > ${name}`);
  });
  expect(operations.length).toBeGreaterThan(8);
  // A resource stands in the first of its rows.
  let resource = '';
  const described = rowsOf(page).map(([, first, operation]) => {
    if (first !== '') resource = first ?? '';
    return `${resource} > ${operation}`;
  });
  expect(operations.filter((one) => !described.includes(one))).toEqual([]);
  expect(choices('options').length).toBeGreaterThan(1);
  expect(choices('options').filter(({ displayName = '' }) => !page.includes(displayName))).toEqual([]);
});
