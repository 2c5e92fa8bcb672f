import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contract } from 'audience-core/internal';
import { startSandbox } from 'audience-sandbox';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { parse as parseYaml } from 'yaml';
import * as z from 'zod/v4';
import { checkRequest } from '../../second-opinion/check-request.js';
import { byHand, generated as readGenerated, readDocument } from '../../second-opinion/document.js';
import type { Endpoint } from '../../second-opinion/document.js';
import { differences, factsOf } from '../../second-opinion/facts.js';
import { tapServers } from '../../second-opinion/wire.js';

const FOLDER = join(__dirname, '../../second-opinion');
const listed = z
  .array(z.object({ why: z.string().min(20), differences: z.array(z.string()).min(1) }))
  .parse(parseYaml(readFileSync(join(FOLDER, 'differences.yaml'), 'utf8')))
  .flatMap(({ differences: lines }) => lines);

const generated = readGenerated();

test('every schema of the document written by hand is a JSON Schema', () => {
  const ajv = new Ajv2020({ strict: false });
  for (const { parameters, requestBody, responses } of byHand) {
    const contents = [requestBody, ...Object.values(responses)].flatMap((part) => part?.content ?? []);
    const schemas = [
      ...parameters.map(({ schema }) => schema),
      ...contents.map((content) => content['application/json'].schema),
    ];
    for (const schema of schemas) expect([schema, ajv.validateSchema(schema)]).toEqual([schema, true]);
  }
});

test('the generated document and the one written by hand differ only as listed', () => {
  expect(factsOf(byHand).size).toBeGreaterThan(150);
  const seen = differences(factsOf(generated), factsOf(byHand));
  // Of each: bring openapi.yaml in line with the interface, or list it in differences.yaml with the reason.
  expect({
    notListed: seen.filter((one) => !listed.includes(one)),
    listedButGone: listed.filter((one) => !seen.includes(one)),
  }).toEqual({ notListed: [], listedButGone: [] });
  expect([...seen].sort()).toEqual([...listed].sort());
});

test.each([
  ['another limit', /"?maximum"?: 50/, 'maximum: 40'],
  ['another type', /perPage: \{ type: integer \}/, 'perPage: { type: string }'],
  [
    'a field more',
    /addToAudience: \{ type: boolean \}/,
    'addToAudience: { type: boolean }\n                addToList: { type: boolean }',
  ],
  ['a field less required', /required: \[eventName\]/, 'required: []'],
  ['another path', '/v1/events/send:', '/v1/events:'],
])('%s in one of them is reported', (_what, from, to) => {
  const text = readFileSync(join(FOLDER, 'openapi.yaml'), 'utf8');
  const changed = text.replace(from, to);
  expect(changed).not.toBe(text);
  expect(differences(factsOf(generated), factsOf(readDocument(parseYaml(changed)))).sort()).not.toEqual(
    [...listed].sort(),
  );
});

describe('rules over several fields: both documents and the schemas accept the same bodies', () => {
  const contact = {
    userId: fc.constant('user-1'),
    firstName: fc.constantFrom('Ada', ''),
    lastName: fc.constant('Lovelace'),
    subscriptionGroups: fc.dictionary(fc.constantFrom('g1', 'g2'), fc.boolean()),
  };
  const email = fc.constantFrom<unknown>('ada@example.com', 'ada@example.com', 'ada@example.com', 7);
  const custom = { teamSize: fc.integer(), isTrialUser: fc.boolean(), companyName: fc.string() };
  /** Up to two fields more, or other values of fields; not an address, of which both say something else. */
  const changes = fc.dictionary(
    fc.constantFrom(
      ...['userId', 'firstName', 'source', 'subscribed', 'subscriptionGroups', 'id', 'createdAt', 'teamSize'],
      ...[
        'transactionalId',
        'addToAudience',
        'dataVariables',
        'eventName',
        'eventProperties',
        'name',
        'type',
      ],
      ...['not camel', 'Upper', 'label'],
    ),
    fc.constantFrom<unknown>('x', 7, true, false, null, ['x'], { a: 1 }),
    { maxKeys: 2 },
  );
  const optional = { requiredKeys: [] };

  test.each([
    {
      endpoint: 'POST /v1/transactional',
      schema: contract.sendTransactionalEmail.body,
      bodies: fc.record(
        {
          ...{ ...contact, email, transactionalId: fc.constant('design-1'), addToAudience: fc.boolean() },
          dataVariables: fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer())),
        },
        // Without a recipient or a design: see differences.yaml.
        { requiredKeys: ['email', 'transactionalId'] },
      ),
    },
    {
      endpoint: 'PUT /v1/contacts/{identifier}',
      schema: contract.updateContact.body,
      bodies: fc.record({ ...contact, ...custom, email, subscribed: fc.constant(false) }, optional),
    },
    {
      endpoint: 'POST /v1/contacts/properties',
      schema: contract.createContactProperty.body,
      bodies: fc.record(
        {
          name: fc.constantFrom(
            'teamSize',
            'a',
            'x1',
            'team size',
            'TeamSize',
            'email',
            'subscriptionGroups',
          ),
          type: fc.constantFrom('string', 'number', 'boolean', 'date', 'text'),
        },
        { requiredKeys: ['name'] },
      ),
    },
    {
      endpoint: 'POST /v1/events/send',
      schema: contract.sendEvent.body,
      bodies: fc.record(
        {
          ...{ ...contact, ...custom, email, eventName: fc.constant('signup') },
          eventProperties: fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.boolean())),
        },
        optional,
      ),
    },
  ])('$endpoint', ({ endpoint, schema, bodies }) => {
    const hand = validator(byHand, endpoint);
    const machine = validator(generated, endpoint);
    const verdicts = [0, 0];
    fc.assert(
      fc.property(bodies, changes, (body, change) => {
        const changed = { ...body, ...change };
        const verdict = hand(changed);
        verdicts[Number(verdict)] = (verdicts[Number(verdict)] ?? 0) + 1;
        expect({ document: machine(changed), schema: schema?.safeParse(changed).success }).toEqual({
          document: verdict,
          schema: verdict,
        });
      }),
      { numRuns: 2_000 },
    );
    // Both kinds were tried often.
    for (const count of verdicts) expect(count).toBeGreaterThan(100);
  });
});

function validator(document: readonly Endpoint[], endpoint: string): (body: unknown) => boolean {
  const found = document.find(({ method, path }) => `${method} ${path}` === endpoint);
  const schema = found?.requestBody?.content['application/json'].schema ?? false;
  const validate = new Ajv2020({ strict: false }).compile(schema);
  return (body) => validate(body);
}

describe('requests on the wire', () => {
  const seen: ReturnType<typeof checkRequest>[] = [];
  const stop = tapServers((request) => seen.push(checkRequest(request)));
  afterAll(stop);

  test.each([
    ['a limit', 'GET', '/v1/transactional?perPage=51', undefined, 'query/perPage: must be <= 50'],
    ['an unknown parameter', 'GET', '/v1/transactional?page=2', undefined, '"additionalProperty":"page"'],
    ['an at sign that is not encoded', 'GET', '/v1/contacts/ada@example.com', undefined, '@ is not encoded'],
    ['a method', 'PATCH', '/v1/events/send', undefined, 'no endpoint PATCH /v1/events/send'],
    ['a type', 'POST', '/v1/events/send', { email: 'a@b.c', eventName: 7 }, 'body/eventName: must be string'],
    [
      'a field that is missing',
      'POST',
      '/v1/events/send',
      { email: 'a@b.c' },
      '"missingProperty":"eventName"',
    ],
    ['a field of the wrong call', 'POST', '/v1/transactional', { email: 'a@b.c', source: 'x' }, '"source"'],
    ['a detail without addToAudience', 'POST', '/v1/transactional', { firstName: 'Ada' }, '"addToAudience"'],
    [
      'subscribed: true',
      'PUT',
      '/v1/contacts/ada',
      { subscribed: true },
      'body/subscribed: must be equal to constant',
    ],
  ])('a wrong %s is found', async (_what, method, path, body, problem) => {
    const sandbox = await startSandbox();
    await fetch(sandbox.url + path, {
      method,
      headers: { authorization: 'Bearer key', ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    await sandbox.close();
    expect(
      seen
        .splice(0)
        .flatMap(({ problems }) => problems)
        .join('\n'),
    ).toContain(problem);
  });

  test('a missing key, a wrong idempotency key and a body that is not JSON are found', async () => {
    const sandbox = await startSandbox();
    const send = (headers: Record<string, string>) =>
      fetch(`${sandbox.url}/v1/events/send`, {
        method: 'POST',
        headers,
        body: '{"email":"a@b.c","eventName":"e"}',
      });
    await send({ 'content-type': 'application/json' });
    await send({
      authorization: 'Bearer key',
      'content-type': 'application/json',
      'idempotency-key': 'k'.repeat(101),
    });
    await send({ authorization: 'Bearer key', 'content-type': 'text/plain' });
    await fetch(`${sandbox.url}/v1/subscription-groups`, {
      headers: { authorization: 'Bearer key', 'idempotency-key': 'key' },
    });
    await sandbox.close();
    expect(seen.splice(0).map(({ problems }) => problems)).toEqual([
      ['header Authorization: no bearer token'],
      [expect.stringContaining('header/idempotency-key: must NOT have more than 100 characters')],
      ['header Content-Type: not application/json'],
      [expect.stringContaining('"additionalProperty":"idempotency-key"')],
    ]);
  });

  test('correct requests pass', async () => {
    const sandbox = await startSandbox();
    for (const path of [
      '/v1/transactional?perPage=10',
      '/v1/contacts/ada%40example.com',
      '/v1/contacts/properties?list=custom',
    ]) {
      await fetch(sandbox.url + path, { headers: { authorization: 'Bearer key' } });
    }
    await sandbox.close();
    expect(seen.splice(0)).toEqual([
      { endpoint: 'GET /v1/transactional', problems: [] },
      { endpoint: 'GET /v1/contacts/{identifier}', problems: [] },
      { endpoint: 'GET /v1/contacts/properties', problems: [] },
    ]);
  });
});
