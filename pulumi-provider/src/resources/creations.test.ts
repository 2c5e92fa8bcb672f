import type { Declared } from '../../testing/fake-engine.js';
import { start } from '../../testing/start.js';

type Fields = Readonly<Record<string, unknown>>;

const event = { createWithEvent: { eventName: 'joined' } };
const dora = { email: 'dora@x.io' };
const list = (name: string, contacts: readonly Fields[], more: Fields = {}): Declared => ({
  type: 'contacts',
  name,
  inputs: { contacts, ...more },
});
const one = (name: string, inputs: Fields): Declared => ({ type: 'contact', name, inputs });

const both = { ...dora, userId: 'u4' };
const SIGNUPS = [list('signups', [both], event), one('signup', { ...both, ...event })];
const OPT_OUTS = [
  list('opt-outs', [{ ...both, subscribed: false }]),
  one('opt-out', { ...both, subscribed: false }),
];

describe.each(SIGNUPS)('the event of $type', (signup) => {
  it.each(OPT_OUTS.slice(0, 1))('is not sent after an opt-out of $type was checked', async (optOut) => {
    const { service, engine } = start();
    await engine.up([optOut, signup]);
    expect([service.events, service.people]).toEqual([[], []]);
  });

  it.each(OPT_OUTS)(
    'before an opt-out of $type is refused at preview; a run writes it and is red',
    async (optOut) => {
      const { service, engine } = start();
      expect((await engine.preview([signup, optOut])).codes.at(-1)).toBe('event.tooEarly');
      const { codes, errors } = await engine.up([signup, optOut]);
      expect(codes.at(-1)).toBe('event.sentTooEarly');
      expect(errors.join().match(/Contacts? 'signups?'/g)).toHaveLength(1);
      expect(service.find('dora@x.io')).toMatchObject({ subscribed: false });
      expect((await engine.up([signup, optOut])).errors).toEqual([]);
    },
  );

  it.each([list('known', [dora]), one('known', dora)])(
    'is not sent for whom the state of $type knows',
    async (known) => {
      const { service, engine } = start(dora);
      await engine.up([known]);
      service.people.pop();
      const first = await engine.up([known, signup]);
      expect(first.codes.some((code) => code === 'contacts.gone' || code === 'contact.goneChanged')).toBe(
        true,
      );
      expect(service.events).toEqual([]);
      engine.state.delete(`${signup.type} ${signup.name}`);
      expect((await engine.preview([signup, known])).codes.at(-1)).toBe('event.tooEarly');
      expect((await engine.up([signup, known])).codes.at(-1)).toBe('event.sentTooEarly');
    },
  );
});

it('an opt-out that state has is written anew to who was created meanwhile', async () => {
  const [optOuts, signups] = [
    list('opt-outs', [{ ...dora, subscribed: false }]),
    list('signups', [dora], event),
  ];
  const { service, engine } = start(dora);
  await engine.up([optOuts]);
  service.people.pop();
  await engine.refresh();
  expect((await engine.up([signups, optOuts])).codes.at(-1)).toBe('event.sentTooEarly');
  expect(service.find('dora@x.io')).toMatchObject({ subscribed: false });
});

it.each(['after a refresh', 'without a refresh'])(
  'a row of a deleted contact that moves to another list creates nobody, %s',
  async (when) => {
    const { service, engine } = start(dora);
    await engine.up([list('old', [dora], event)]);
    service.people.pop();
    if (when === 'after a refresh') await engine.refresh();
    expect((await engine.up([list('old', [], event), list('new', [dora], event)])).codes).toContain(
      'contacts.gone',
    );
    expect(service.events).toEqual([]);
  },
);

it('a row of nobody gets the event once the list has one', async () => {
  const { service, engine } = start();
  const eve = { email: 'eve@x.io' };
  expect((await engine.up([list('plain', [eve])])).codes).toContain('contacts.nobody');
  expect(await engine.up([list('plain', [eve])])).toEqual({ errors: [], told: [], codes: [] });
  expect((await engine.up([list('plain', [eve], event)])).errors).toEqual([]);
  expect(service.events).toHaveLength(1);
});

it('a group is joined without a read by whom this run has created, and by nobody else', async () => {
  const news = { subscriptionGroups: { news: true } };
  const { service, engine } = start({ email: 'ada@x.io' });
  await engine.up([
    list(
      'all',
      [
        { email: 'ada@x.io', ...news },
        { ...dora, ...news },
      ],
      event,
    ),
  ]);
  const calls = service.received.filter(
    (line) => line.includes('/v1/contacts/') && !line.includes('/properties'),
  );
  const of = (email: string): string[] =>
    calls.filter((line) => line.includes(email)).map((line) => line.slice(0, 3));
  expect(of('ada')).toEqual(['GET', 'GET', 'PUT']);
  expect(of('dora')).toEqual(['GET', 'GET', 'PUT']);
  expect(service.find('dora@x.io')?.['subscriptionGroups']).toEqual({ news: true });
});

it.each<[string, number, unknown, string, RegExp]>([
  ['POST', 400, { message: 'There is no event wellcome' }, 'event.notSent', /There is no event wellcome/],
  ['POST', 403, { message: 'key may not send events' }, 'event.notSent', /key may not send events/],
  ['POST', 409, { message: 'used' }, 'event.conflict', /"used".*again: 1/],
  ['PUT', 409, { message: 'busy' }, 'service.failed', /conflict \(409\): "busy"/],
])('a %s that is answered %i %j says why', async (method, status, body, _code, says) => {
  const { service, engine } = start();
  if (method === 'PUT') service.add(dora);
  service.reply = (request) => (request.startsWith(method) ? [status, body] : undefined);
  for (const program of [
    list('all', [{ ...dora, firstName: 'D' }], event),
    one('dora', { ...dora, ...event }),
  ]) {
    if (method === 'PUT' && program.type === 'contact') continue;
    const { errors } = await engine.up([program]);
    expect(errors.join()).toMatch(says);
    expect(errors.join()).not.toContain('may have been sent');
    engine.state.clear();
  }
});

it('one date in two spellings is one value', async () => {
  const { engine } = start(dora);
  const program = [
    one('dora', { ...dora, properties: { endsAt: '2026-01-01' } }),
    list('all', [{ ...dora, properties: { endsAt: '2026-01-01T00:00:00Z' } }]),
  ];
  expect((await engine.up(program)).errors).toEqual([]);
});

it('a state of another format is refused, and an import by an id says what it takes', async () => {
  const { engine } = start(dora);
  await engine.up([list('all', [dora])]);
  const stored = engine.state.get('contacts all');
  if (stored !== undefined)
    engine.state.set('contacts all', { ...stored, outs: { ...stored.outs, version: 0 } });
  expect((await engine.preview([list('all', [dora])])).codes).toEqual(['state.version']);
  expect((await engine.import(one('ada', {}), 'c1')).codes).toEqual(['contact.importedBy']);
});
