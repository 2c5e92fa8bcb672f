import { FakeEngine } from '../../../testing/fake-engine.js';
import type { Declared } from '../../../testing/fake-engine.js';
import { claimsAmong, FakeService, runOn } from '../../../testing/fake-service.js';
import { methodsOf } from '../../dynamic/methods.js';
import { registry } from '../registry.js';

// A list that moves to another provider of the same account: its old copy is deleted by a process that has not seen
// the program, and knows what the other process tells it.

let service: FakeService;
let engine: FakeEngine;
beforeEach(() => {
  service = new FakeService();
  engine = new FakeEngine(service);
  for (const name of ['a', 'b', 'c', 'd', 'e']) service.add({ email: `${name}@x.io` });
});

const list = (names: string, more: object = {}): Declared => ({
  type: 'contacts',
  name: 'l',
  inputs: {
    contacts: names.split('').map((name) => ({ email: `${name}@x.io`, firstName: 'F' })),
    onRemove: 'unsubscribe',
    ...more,
  },
});
const unsubscribed = (): (string | undefined)[] =>
  service.people.filter((person) => person['subscribed'] === false).map(({ email }) => email);

/** What crosses to the engine and back. */
function data(value: unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value ?? {}));
}

/** The processes of one run, which know of each other's claims. */
function processes(...names: string[]) {
  const claims = new Set<ReadonlySet<string>>();
  const methods = names.map(() => {
    const { run, told } = runOn(service, { others: claimsAmong(claims) });
    return { ...methodsOf(registry.contacts, () => run), told };
  });
  return { methods };
}

/** What an engine does in one run with a list whose provider is another now. */
async function moved(
  { inputs }: Declared,
  { isAsked = true, isDeletedFirst = false } = {},
  pending = false,
): Promise<string> {
  const before = engine.state.get('contacts l');
  if (before === undefined) throw new Error('There is no state.');
  const {
    methods: [old, next],
  } = processes('old', 'next');
  if (old === undefined || next === undefined) throw new Error('There are two.');
  const news = { ...inputs, declaredBy: '0 l' };
  const checked = await next.check(isAsked ? before.inputs : {}, news);
  if (isAsked) await next.diff(before.id, before.outs, checked.inputs);
  const remove = () => old.delete(before.id, before.outs);
  if (isDeletedFirst) await remove();
  const again = await next.check({}, news);
  if (pending) service.fault = (request) => (request.startsWith('PUT') ? 503 : undefined);
  const made = data(await next.create(data(again.inputs)));
  try {
    if (!isDeletedFirst) await remove();
  } finally {
    service.fault = () => undefined;
    engine.doomed = [before];
    engine.state.set('contacts l', {
      ...before,
      id: String(made['id']),
      outs: data(made['outs']),
      inputs: data(again.inputs),
    });
  }
  return [...old.told, ...next.told].join('\n');
}

beforeEach(async () => {
  expect((await engine.up([list('abcde')])).errors).toEqual([]);
});

it('takes who the plan says', async () => {
  const told = await moved(list('abcd'));
  expect(told).toMatch(/1 leaving, who would be unsubscribed for good/);
  expect(unsubscribed()).toEqual(['e@x.io']);
});

it.each([
  ['is deleted before its new copy is made', list('abcd'), { isDeletedFirst: true }],
  ['is retained by the same run', list('abcd', { onRemove: 'retain' }), {}],
  ['is replaced by force', list('abcd'), { isAsked: false }],
])('takes nobody where the list %s, and says so', async (_name, program, how) => {
  const told = await moved(program, how);
  expect(unsubscribed()).toEqual([]);
  expect(told).toMatch(/this one cannot know who leaves: 1 contact/);
});

it('takes nobody by a removal that is still pending, as nobody knows any more who left then', async () => {
  await expect(moved(list('abcd'), {}, true)).rejects.toThrow();
  const { methods } = processes('old', 'next');
  const [old, next] = methods;
  const [pending] = engine.doomed;
  const latest = engine.state.get('contacts l');
  if (old === undefined || next === undefined || pending === undefined || latest === undefined)
    throw new Error('There is a pending removal.');
  const news = await next.check(latest.inputs, {
    ...list('acd', { onRemove: 'retain' }).inputs,
    declaredBy: '0 l',
  });
  await next.diff(latest.id, latest.outs, news.inputs);
  await next.update(latest.id, latest.outs, news.inputs);
  await old.delete(pending.id, pending.outs);
  expect(unsubscribed()).toEqual([]);
});

it('takes nobody by a pending removal at a destroy: the later copy says what becomes of them', async () => {
  await expect(moved(list('abcd', { onRemove: 'unsubscribe' }), {}, true)).rejects.toThrow();
  const [pending] = engine.doomed;
  const latest = engine.state.get('contacts l');
  const [old, next] = processes('old', 'next').methods;
  if (old === undefined || next === undefined || pending === undefined || latest === undefined)
    throw new Error('There is a pending removal.');
  await Promise.all([
    next.delete(latest.id, { ...latest.outs, onRemove: 'retain' }),
    old.delete(pending.id, pending.outs),
  ]);
  expect(unsubscribed()).toEqual([]);
});
