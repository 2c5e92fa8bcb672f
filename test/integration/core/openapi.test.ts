import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { contract } from 'audience-core/contract';
import * as z from 'zod/v4';

jest.setTimeout(60_000);

const ROOT = resolve(__dirname, '../../..');
const PUBLISHED = join(ROOT, 'shared/openapi.json');
const document = z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(PUBLISHED, 'utf8')));

test('it holds all eight endpoints', () => {
  const text = JSON.stringify(document);
  expect(Object.keys(contract)).toHaveLength(8);
  for (const operationId of Object.keys(contract)) expect(text).toContain(`"operationId":"${operationId}"`);
});

test('calls with a body tell what is answered when it is too large or no JSON, and no others do', () => {
  const paths = z
    .record(
      z.string(),
      z.record(
        z.string(),
        z.object({ operationId: z.string(), responses: z.record(z.string(), z.unknown()) }),
      ),
    )
    .parse(document['paths']);
  for (const { operationId, responses } of Object.values(paths).flatMap((methods) =>
    Object.values(methods),
  )) {
    const takesBody = [
      'sendTransactionalEmail',
      'updateContact',
      'createContactProperty',
      'sendEvent',
    ].includes(operationId);
    expect(Object.keys(responses).filter((status) => status === '413' || status === '415')).toEqual(
      takesBody ? ['413', '415'] : [],
    );
  }
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
