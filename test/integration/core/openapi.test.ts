import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { contract } from 'audience-core/contract';
import * as z from 'zod/v4';

const PUBLISHED = resolve(__dirname, '../../../shared/openapi.json');
const document = z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(PUBLISHED, 'utf8')));

test('it holds every endpoint of the contract', () => {
  const text = JSON.stringify(document);
  expect(text.match(/"operationId":/g)).toHaveLength(Object.keys(contract).length);
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
