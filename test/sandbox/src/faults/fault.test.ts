import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newFaultSchema } from './fault.js';

test('the README has each field of a fault', () => {
  const readme = readFileSync(join(__dirname, '../../README.md'), 'utf8');
  const [, table = ''] = /\n\| field .*\n([\s\S]*?)\n\n/.exec(readme) ?? [];
  const fields = Object.keys(newFaultSchema.shape);
  expect(fields.length).toBeGreaterThan(5);
  expect(fields.filter((field) => !new RegExp(`\\b${field}\\b`).test(table))).toEqual([]);
});
