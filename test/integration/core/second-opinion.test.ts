import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contactFieldEntries, contract } from 'audience-core/internal';
import { startSandbox } from 'audience-sandbox';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { parse as parseYaml } from 'yaml';
import * as z from 'zod/v4-mini';
import { checkRequest } from '../../second-opinion/check-request.js';
import {
  byHand,
  generated as readGenerated,
  readDocument,
  type Endpoint,
} from '../../second-opinion/document.js';
import { differences, factsOf } from '../../second-opinion/facts.js';
import { tapServers } from '../../second-opinion/wire.js';

const FOLDER = join(__dirname, '../../second-opinion');
const listed = z
  .array(
    z.object({
      why: z.string().check(z.minLength(20)),
      differences: z.array(z.string()).check(z.minLength(1)),
    }),
  )
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

test('the fields of a contact are those of the interface', () => {
  const text = readFileSync(join(FOLDER, '../../shared/interface.md'), 'utf8');
  const section = text.slice(text.indexOf('### Contact\n'), text.indexOf('### Contact property\n'));
  const rows = [...section.matchAll(/^\| (\w+) +\| (\w+) /gm)].map(([, name, type]) => [name, type]);
  const [, reserved = ''] = /^Reserved field names[^:]*:([^.]*)\./m.exec(section) ?? [];
  const ours = contactFieldEntries.filter(([, { setBy }]) => setBy.includes('updateContact'));
  const typed = ours.map(([name, { type }]) => [name, type === 'groups' ? 'object' : type]);
  expect(rows).toEqual([['Field', 'Type'], ['id', 'string'], ...typed]);
  expect(reserved.match(/\w+/g)?.sort()).toEqual(ours.map(([name]) => name).sort());
});

test('the endpoints are those of the interface', () => {
  const text = readFileSync(join(FOLDER, '../../shared/interface.md'), 'utf8');
  const headings = [...text.matchAll(/^### ([A-Z]+ \/\S+) — /gm)].map(([, heading]) => heading);
  const ours = Object.values(contract).map(({ method, path }) => `${method} ${path}`);
  expect(headings.sort()).toEqual(ours.sort());
});

test.each([
  ['another limit', /"?maximum"?: 50/, 'maximum: 40'],
  ['another field', /addToAudience: \{ type: boolean \}/, 'addToList: { type: boolean }'],
  ['a field less required', /required: \[eventName\]/, 'required: []'],
])('%s in one of them is reported', (_what, from, to) => {
  const text = readFileSync(join(FOLDER, 'openapi.yaml'), 'utf8');
  const changed = text.replace(from, to);
  expect(changed).not.toBe(text);
  expect(differences(factsOf(generated), factsOf(readDocument(parseYaml(changed)))).sort()).not.toEqual(
    [...listed].sort(),
  );
});

test('patterns of the generated document work in languages without the flag u', () => {
  const patterns = JSON.stringify(generated).match(/(?<="pattern":)"(?:[^"\\]|\\.)*"/g) ?? [];
  const read = patterns.map((pattern) => z.string().parse(JSON.parse(pattern)));
  const ofEmails = read.filter((pattern) => pattern.includes('@'));
  expect(ofEmails.length).toBeGreaterThan(0);
  for (const pattern of ofEmails) {
    expect('peter.fischer@example.com').toMatch(new RegExp(pattern));
    expect('ada\u200b@example.com').not.toMatch(new RegExp(pattern));
  }
  for (const pattern of read) expect(pattern).not.toContain('\\p{');
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
  /** Up to two fields more, or other values of fields; not an address, where the two documents differ. */
  const changes = fc.dictionary(
    fc.constantFrom(
      ...'userId firstName source subscribed subscriptionGroups id createdAt teamSize transactionalId'.split(
        ' ',
      ),
      ...'addToAudience dataVariables eventName eventProperties name type Upper label'.split(' '),
      'not camel',
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
          name: fc.constantFrom('teamSize', 'a', 'x1', 'team size', 'TeamSize', 'email', 'source'),
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
  const json = { authorization: 'Bearer key', 'content-type': 'application/json' };
  const problemsOf = (
    method: string,
    target: string,
    body: unknown,
    headers: Record<string, string> = json,
  ) =>
    checkRequest({ method, target, headers, body: body === undefined ? '' : JSON.stringify(body) }).problems;

  const event = { email: 'a@b.c', eventName: 'e' };
  const send = '/v1/events/send';
  const groups = '/v1/subscription-groups';
  test.each<[what: string, problem: string, ...Parameters<typeof problemsOf>]>([
    ['a limit', 'query/perPage: must be <= 50', 'GET', '/v1/transactional?perPage=51', undefined],
    ['an at sign', '@ is not encoded', 'GET', '/v1/contacts/ada@example.com', undefined],
    ['a method', 'no endpoint PATCH /v1/events/send', 'PATCH', send, undefined],
    ['a type', 'body/eventName: must be string', 'POST', send, { ...event, eventName: 7 }],
    ['a field of another call', '"source"', 'POST', '/v1/transactional', { email: 'a@b.c', source: 'x' }],
    ['no key', 'header Authorization: no bearer token', 'GET', groups, undefined, {}],
    ['a long key', 'more than 100', 'POST', send, event, { ...json, 'idempotency-key': 'k'.repeat(101) }],
    ['no type', 'header Content-Type: not', 'POST', send, event, { authorization: 'Bearer key' }],
    ['a key of a read', '"idempotency-key"', 'GET', groups, undefined, { ...json, 'idempotency-key': 'k' }],
  ])('a wrong one is found: %s', (_what, problem, ...request) => {
    expect(problemsOf(...request).join('\n')).toContain(problem);
  });

  test('every request that a server receives is checked, and a correct one passes', async () => {
    const seen: ReturnType<typeof checkRequest>[] = [];
    const stop = tapServers((request) => seen.push(checkRequest(request)));
    const sandbox = await startSandbox();
    const headers = { authorization: 'Bearer key' };
    for (const path of ['/v1/transactional?perPage=10', '/v1/contacts/ada%40example.com'])
      await fetch(sandbox.url + path, { headers });
    await fetch(sandbox.url + send, { method: 'POST', headers: json, body: JSON.stringify(event) });
    await sandbox.close();
    stop();
    expect(seen).toEqual([
      { endpoint: 'GET /v1/transactional', problems: [] },
      { endpoint: 'GET /v1/contacts/{identifier}', problems: [] },
      { endpoint: 'POST /v1/events/send', problems: [] },
    ]);
  });
});
