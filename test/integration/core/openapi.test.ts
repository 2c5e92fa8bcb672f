import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { contract, openApiDocument } from 'audience-core';

jest.setTimeout(60_000);

const ROOT = resolve(__dirname, '../../..');
const PUBLISHED = join(ROOT, 'shared/openapi.json');

test('the published document is the one that the contract generates', () => {
  expect(JSON.parse(readFileSync(PUBLISHED, 'utf8'))).toEqual(openApiDocument());
});

test('it holds all eight endpoints', () => {
  const text = JSON.stringify(openApiDocument());
  expect(Object.keys(contract)).toHaveLength(8);
  for (const operationId of Object.keys(contract)) expect(text).toContain(`"operationId":"${operationId}"`);
});

test("Spectral's own rules find nothing", () => {
  const spectral = join(ROOT, 'node_modules/.bin/spectral');
  const report = execFileSync(
    spectral,
    ['lint', PUBLISHED, '--ruleset', join(__dirname, 'spectral.yaml'), '--fail-severity', 'hint'],
    { encoding: 'utf8' },
  );
  expect(report).toContain("No results with a severity of 'hint' or higher found!");
});
