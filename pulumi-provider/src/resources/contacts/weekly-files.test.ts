import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Declared } from '../../../testing/fake-engine.js';
import { start } from '../../../testing/start.js';
import type { Inputs } from './inputs.js';

let folder = '';
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'audience-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const SIGN_UP = { eventName: 'signedUp' };

/** A resource that reads a file as it is now. */
function listOf(text: string, options: Inputs = {}, name = 'people'): Declared {
  const file = path.join(folder, `${name}.csv`);
  writeFileSync(file, text);
  return { type: 'contacts', name, inputs: { file, createWithEvent: SIGN_UP, consent: 'mail', ...options } };
}

const people = (count: number, valueOf: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => `p${index}@x.io,${valueOf(index)}\n`).join('');

async function startWith(...programs: readonly Declared[][]): Promise<ReturnType<typeof start>> {
  const { service, engine } = start();
  for (const program of programs) expect((await engine.up(program)).errors).toEqual([]);
  service.writes();
  return { service, engine };
}

test('a file that causes mail says who wants it, and answers each text', async () => {
  const { service, engine } = await startWith();
  const columns = { email: 'email', seats: 'seats' };
  const rows = 'email,seats,Left\na@x.io,1,\nb@x.io,2,yes\nc@x.io,1,asked\n';
  const asked = await engine.up([listOf(rows, { columns, consent: undefined })]);
  expect([asked.codes, service.writes()]).toEqual([['text'], []]);
  for (const email of ['a@x.io', 'b@x.io', 'c@x.io']) service.add({ email, seats: 1 });
  const consent = { Left: { '': 'mail', yes: 'no mail', asked: 'skip' } } as const;
  const { errors, told } = await engine.up([listOf(rows, { columns, consent })]);
  expect(errors).toEqual([]);
  expect(told.join('\n')).toMatch(/1 row left out by 'skip'/);
  expect(service.writes()).toEqual([
    'PUT /v1/contacts/b@x.io {"subscribed":false,"seats":2}',
    'PUT /v1/contacts/a@x.io {"seats":1}',
  ]);
});

describe("next week's file", () => {
  test('with an emptied cell keeps the value, and the plan says so', async () => {
    const { service, engine } = await startWith([listOf('email,plan\na@x.io,Pro\n')]);
    const { errors, told } = await engine.up([listOf('email,plan\na@x.io,\n')]);
    expect([errors, service.writes()]).toEqual([[], []]);
    expect(told.join('\n')).toContain('1 plan emptied: values kept');
  });

  test('with several rows of one contact: one "no mail" wins, then one "skip"', async () => {
    const consent = { Status: { in: 'mail', out: 'no mail', asked: 'skip' } } as const;
    const rows = ['a@x.io,in', 'A@x.io,asked', 'b@x.io,asked', 'b@x.io,out', 'b@x.io,in', 'c@x.io,in'];
    const { service, engine } = start();
    service.add({ email: 'b@x.io' });
    const { errors } = await engine.up([listOf(`email,Status\n${rows.join('\n')}\n`, { consent })]);
    expect(errors).toEqual([]);
    expect(service.events).toEqual([JSON.stringify({ email: 'c@x.io', eventName: 'signedUp' })]);
    expect(service.find('b@x.io')?.['subscribed']).toBe(false);
  });

  test.each([
    ['two values', 'email,firstName\na@x.io,A\nA@x.io,B\n', 'line 3 is the same contact as line 2'],
    [
      'two contacts in one',
      'email,userId\na@x.io,\n,u1\na@x.io,u1\n',
      'line 4 has the identifiers of two rows',
    ],
    ['a group that does not exist', 'email,subscriptionGroups.x\na@x.io,yes\n', 'is no subscription group'],
  ])('is refused for %s', async (_title, text, sentence) => {
    const { service, engine } = start();
    const { errors } = await engine.up([listOf(text)]);
    expect(errors.join('\n')).toContain(sentence);
    expect(service.writes()).toEqual([]);
  });

  test('is planned with rows and fields: the first ten, and the number of the others', async () => {
    const file = (plan: string, seats: number): string =>
      `email,plan,seats\n${people(12, () => `${plan},${seats}`)}z@x.io,Pro,1\n`;
    const { engine } = await startWith([listOf(file('Pro', 1))]);
    const { told } = await engine.up([listOf(file('Free', 2))]);
    expect(told.join('\n')).toMatch(/12 changed, 1 unchanged/);
    expect(told.join('\n')).toMatch(/line 2: plan, seats; .*line 11: plan, seats.* 2 more/);
    expect(told.join('\n')).not.toMatch(/line 12|Free/);
  });
});

describe('a file whose changes are ignored', () => {
  const [first, second] = ['email,plan\na@x.io,Pro\n', 'email,plan\na@x.io,Free\nb@x.io,Free\n'];

  test.each(['file', '*'])(
    'by %s is not read, and no row is written; it is read when it no longer is',
    async (name) => {
      const { service, engine } = await startWith([listOf(first)]);
      const ignoring = [{ ...listOf('no file that we can read'), ignoreChanges: [name] }];
      expect(await engine.up(ignoring)).toEqual({ errors: [], told: [], codes: [] });
      await engine.refresh();
      expect(await engine.up(ignoring)).toEqual({ errors: [], told: [], codes: [] });
      expect(service.writes()).toEqual([]);
      expect((await engine.up([listOf(second)])).errors).toEqual([]);
      expect(service.events).toHaveLength(2);
    },
  );

  test('is written where the last run failed, once it is no longer ignored', async () => {
    const { service, engine } = await startWith([listOf(first)]);
    service.fault = (request) => (request.startsWith('PUT') ? 'cut before' : undefined);
    expect((await engine.up([listOf(first.replace('Pro', 'Free'))])).errors).not.toEqual([]);
    service.fault = () => undefined;
    service.writes();
    const program = listOf(first.replace('Pro', 'Free'));
    expect((await engine.up([{ ...program, ignoreChanges: ['file'] }])).errors).toEqual([]);
    expect(service.writes()).toEqual([]);
    expect((await engine.up([program])).errors).toEqual([]);
    expect(service.writes()).toEqual(['PUT /v1/contacts/a@x.io {"plan":"Free"}']);
  });

  test('says its content, and the output is its path', async () => {
    const program = listOf(first);
    const { engine } = await startWith([program]);
    const { inputs, outs } = engine.state.get('contacts people') ?? {};
    expect(inputs?.['file']).toMatch(/people\.csv \(1 contact, [0-9a-f]{16}\)$/);
    expect(outs?.['file']).toBe(program.inputs['file']);
    // A file from the checked input of another resource has the ending of that one.
    await engine.up([{ ...program, name: 'other', inputs: { ...program.inputs, file: inputs?.['file'] } }]);
    expect(engine.state.get('contacts other')?.outs['file']).toBe(program.inputs['file']);
  });
});
