import { FakeEngine } from '../../../testing/fake-engine.js';
import type { Declared } from '../../../testing/fake-engine.js';
import { FakeService } from '../../../testing/fake-service.js';

// What an earlier run could not finish meets later edits; and the plan says all that is done to people.

let service: FakeService;
let engine: FakeEngine;
beforeEach(() => {
  service = new FakeService();
  engine = new FakeEngine(service);
  for (let one = 0; one < 8; one += 1) service.add({ email: `p${one}@x.io`, userId: `u${one}` });
});

const row = (one: number, more: object = {}) => ({ email: `p${one}@x.io`, firstName: 'F', ...more });
const list = (contacts: readonly object[], more: object = {}, name = 'l'): Declared => ({
  type: 'contacts',
  name,
  inputs: { contacts, onRemove: 'unsubscribe', ...more },
});
const rows = (...people: number[]) => people.map((one) => row(one));
const unsubscribed = (): (string | undefined)[] =>
  service.people.filter((person) => person['subscribed'] === false).map(({ email }) => email);

/** A run in which nobody can be updated. */
async function down(program: readonly Declared[]): Promise<void> {
  service.fault = (request) => (request.startsWith('PUT') ? 503 : undefined);
  expect((await engine.up(program)).errors).not.toEqual([]);
  service.fault = () => undefined;
}

describe('a removal that an earlier run could not finish', () => {
  beforeEach(async () => {
    await engine.up([list(rows(0, 1, 2, 3, 4))]);
    await down([list(rows(1, 2, 3, 4))]);
  });

  it('does not take who left later with another fate, whose removal failed too', async () => {
    await down([list(rows(1, 2, 3, 4), { onRemove: 'clear' })]);
    await down([list(rows(1, 2, 4), { onRemove: 'clear' })]);
    const { errors, told } = await engine.up([list(rows(1, 2, 4), { onRemove: 'clear' })]);
    expect(errors).toEqual([]);
    expect(unsubscribed()).toEqual(['p0@x.io']);
    expect(service.find('p3@x.io')).toMatchObject({ firstName: null });
    expect(told.join()).toMatch(/1 unsubscribed/);
  });

  it('takes each person once, whenever it is carried out', async () => {
    await down([list(rows(2, 3, 4))]);
    service.writes();
    const { errors, told } = await engine.up([list(rows(3, 4))]);
    expect(errors).toEqual([]);
    expect(unsubscribed()).toEqual(['p0@x.io', 'p1@x.io', 'p2@x.io']);
    expect(service.writes()).toHaveLength(3);
    expect(told.join().match(/1 unsubscribed/g)).toHaveLength(3);
  });

  it('takes who was declared again in between once, as the later plan says', async () => {
    await down([list(rows(0, 2, 3, 4))]);
    await down([list(rows(2, 3, 4))]);
    service.writes();
    expect((await engine.up([list(rows(2, 3, 4))])).errors).toEqual([]);
    expect(unsubscribed()).toEqual(['p0@x.io', 'p1@x.io']);
    expect(service.writes()).toHaveLength(2);
  });
});

test('a forced replacement that fails half-way takes nobody in a later run either', async () => {
  await engine.up([list(rows(0, 1, 2, 3))]);
  engine.forced = 'l';
  await down([list(rows(1, 2))]);
  engine.forced = undefined;
  const { errors, told } = await engine.up([list(rows(1, 2))]);
  expect(errors).toEqual([]);
  expect(unsubscribed()).toEqual([]);
  expect(told.join()).toMatch(/replaced without a plan of who leaves.*: 2 contacts no longer declared stay/);
});

describe('a service that answers 400 for who is not there', () => {
  beforeEach(() => {
    service.reply = (request) =>
      /^GET .*p0@/.test(request) ? [400, { error: 'no such contact' }] : undefined;
  });

  it('a removal leaves who cannot be found, says so, and ends', async () => {
    service.reply = () => undefined;
    await engine.up([list(rows(0, 1, 2, 3))]);
    service.reply = (request) => (request.includes('p0@') ? [400, { error: 'no such contact' }] : undefined);
    const left = list(rows(2, 3));
    const { errors, told } = await engine.up([left]);
    expect(errors).toEqual([]);
    expect(unsubscribed()).toEqual(['p1@x.io']);
    expect(told.join()).toMatch(
      /warning: 1 contact that left .* was not unsubscribed.*refuses to say.*\(id c1\)/,
    );
    service.writes();
    await engine.up([left]);
    expect(service.writes()).toEqual([]);
  });
});

describe('the plan says', () => {
  const plan = async (...contacts: object[]): Promise<string> =>
    (await engine.preview([list(contacts)])).told.join();

  it('that identifiers are set back where a refresh found others', async () => {
    await engine.up([list([row(0, { userId: 'u0' })])]);
    Object.assign(service.find('p0@x.io') ?? {}, { email: 'new@x.io' });
    await engine.refresh();
    const said = await plan(row(0, { userId: 'u0' }));
    expect(said).toMatch(/1 changed, 0 unchanged, 1 of them written as a whole, email and userId too/);
  });

  it('that a null clears, of known contacts and of new ones', async () => {
    await engine.up([list([row(0, { properties: { plan: 'P' } }), row(1)])]);
    expect(await plan(row(0, { properties: { plan: null } }), row(1))).toMatch(
      /1 changed \(cleared: plan 1\)/,
    );
    const isNew = await plan(
      row(0, { properties: { plan: 'P' } }),
      row(1),
      row(2, { properties: { plan: null } }),
    );
    expect(isNew).toMatch(/1 new.*1 of them lose plan/);
    engine = new FakeEngine(service);
    expect(await plan(row(3, { properties: { plan: null } }))).toMatch(/1 new, 1 of them lose plan/);
  });

  it('that somebody is unsubscribed only where that is written', async () => {
    await engine.up([list([row(0, { subscribed: false })])]);
    expect(await plan(row(0, { subscribed: false, firstName: 'G' }))).not.toMatch(/unsubscribed for good/);
  });

  it('that an address is still that of somebody who leaves', async () => {
    await engine.up([list([row(0, { userId: 'u0' }), row(1, { userId: 'u1' })])]);
    const { errors } = await engine.preview([list([{ ...row(0), userId: 'u1' }])]);
    expect(errors.join()).toMatch(/contacts\[0\] gets the email address of a contact that leaves/);
  });
});

describe('two records that are one contact', () => {
  test.each([true, false])('are written again once one of them is gone; ids told: %s', async (tellsIds) => {
    service.tellsIds = tellsIds;
    const byUserId = { userId: 'u0', firstName: 'Ada' };
    const byEmail = { email: 'p0@x.io', firstName: 'Adele' };
    const both = await engine.up([list([byUserId, byEmail])]);
    expect(both.told.join()).toMatch(/are one contact of the service/);
    const { errors } = await engine.up([list([byUserId])]);
    expect(errors).toEqual([]);
    expect(service.find('p0@x.io')).toMatchObject({ firstName: 'Ada' });
    expect(unsubscribed()).toEqual([]);
  });
});

describe('what a second reading found', () => {
  const fail = (path: RegExp): void => {
    service.fault = (request) => (request.startsWith('PUT') && path.test(request) ? 503 : undefined);
  };

  it('who left with an address that passed to somebody who left later is still taken', async () => {
    const moved = { email: 'p1@x.io', userId: 'u1' };
    await engine.up([list([row(0, { userId: 'u0' }), moved, ...rows(2, 3)])]);
    await down([list([moved, ...rows(2, 3)])]);
    Object.assign(service.find('u0') ?? {}, { email: 'p0new@x.io' });
    fail(/p0new|u0/);
    await engine.up([list([{ email: 'p0@x.io', userId: 'u1' }, ...rows(2, 3)])]);
    await engine.up([list(rows(2, 3))]);
    service.fault = () => undefined;
    expect((await engine.up([list(rows(2, 3))])).errors).toEqual([]);
    expect(service.find('u0')).toMatchObject({ subscribed: false });
  });

  it('a service that answers 400 to everything is not one where nobody is', async () => {
    await engine.up([list(rows(0, 1, 2, 3))]);
    service.reply = (request) =>
      request.startsWith('GET /v1/contacts/p') ? [400, { error: 'no' }] : undefined;
    const { errors } = await engine.up([list(rows(2, 3))]);
    expect(errors.join()).toMatch(
      /2 of 2 contacts that left .* does not say whether any of them is there \(400\).*retain/,
    );
    service.reply = () => undefined;
    expect((await engine.up([list(rows(2, 3))])).errors).toEqual([]);
    expect(unsubscribed()).toEqual(['p0@x.io', 'p1@x.io']);
  });

  it('a removal that retain called off does not come back', async () => {
    await engine.up([list(rows(0, 1, 2, 3, 4))]);
    await down([list(rows(1, 2, 3, 4))]);
    const other = [row(1, { firstName: 'G' }), ...rows(2, 3, 4)];
    await down([list(other, { onRemove: 'retain' })]);
    await down([list(other)]);
    expect((await engine.up([list(other)])).errors).toEqual([]);
    expect(unsubscribed()).toEqual([]);
  });

  it('a forced replacement after a rename by an alias takes nobody', async () => {
    await engine.up([list(rows(0, 1, 2, 3), {}, 'old')]);
    const state = engine.state.get('contacts old');
    if (state === undefined) throw new Error('no state');
    engine.state.delete('contacts old');
    engine.state.set('contacts new', { ...state, name: 'new' });
    const { told } = await engine.up([list(rows(0, 1, 2, 3), {}, 'new')]);
    expect(told.join()).toMatch(/'new' has been .*'old' until now: its name in state is all that changes/);
    engine.forced = 'new';
    await engine.up([list(rows(1, 2, 3), {}, 'new')]);
    expect(unsubscribed()).toEqual([]);
  });

  it('a forced replacement that failed takes nobody, though the list is renamed by an alias then', async () => {
    await engine.up([list(rows(0, 1, 2, 3), {}, 'old')]);
    engine.forced = 'old';
    await down([list([row(1, { firstName: 'G' }), ...rows(2, 3)], {}, 'old')]);
    engine.forced = undefined;
    const state = engine.state.get('contacts old');
    if (state === undefined) throw new Error('no state');
    engine.state.delete('contacts old');
    engine.state.set('contacts new', { ...state, name: 'new' });
    const { told } = await engine.up([list([row(1, { firstName: 'G' }), ...rows(2, 3)], {}, 'new')]);
    expect(unsubscribed()).toEqual([]);
    expect(told.join()).toMatch(/1 contact no longer declared stays in the service as before/);
  });

  it('two lists that were emptied are told apart', async () => {
    const empty = { allowEmpty: true };
    await engine.up([list(rows(0, 1), empty, 'a'), list(rows(2, 3), empty, 'b')]);
    const { told } = await engine.up([list([], empty, 'a'), list([], empty, 'b')]);
    expect(told.join()).not.toMatch(/deleteBeforeReplace/);
    expect(unsubscribed()).toEqual(['p0@x.io', 'p1@x.io', 'p2@x.io', 'p3@x.io']);
    const again = await engine.preview([list([], empty, 'a'), list([], empty, 'b')]);
    expect(again.told.join()).not.toMatch(/Contacts '[ab]'/);
  });

  it.each([503, 400] as const)(
    "nobody is removed whose id could not be read (%i), as the address may be another person's by now",
    async (status) => {
      service.tellsIds = false;
      service.fault = (request) => (/^GET .*p\d@/.test(request) ? status : undefined);
      const first = await engine.up([list(rows(0, 1))]);
      expect(first.told.join()).toMatch(/the service did not tell the id of 2 contacts/);
      service.fault = () => undefined;
      service.people.splice(0, 1);
      service.add({ email: 'p0@x.io' });
      const { told } = await engine.up([list(rows(1))]);
      expect(unsubscribed()).toEqual([]);
      expect(told.join()).toMatch(/1 contact that left .* stays as before: state has only an email of it/);
    },
  );

  it('ids that could not be read are asked for again by the next run', async () => {
    service.tellsIds = false;
    service.fault = (request) => (/^GET .*p\d@/.test(request) ? 503 : undefined);
    await engine.up([list(rows(0, 1))]);
    service.fault = () => undefined;
    await engine.up([list(rows(0, 1))]);
    await engine.up([list(rows(1))]);
    expect(unsubscribed()).toEqual(['p0@x.io']);
  });

  it('a new record with both identifiers is said to move whoever has one of them', async () => {
    const { told } = await engine.preview([list([{ email: 'other@x.io', userId: 'u1' }])]);
    expect(told.join()).toMatch(
      /whoever has only the email gets the userId, whoever has only the userId gets the email in place of their own/,
    );
  });

  it('a membership that is no longer declared is no change of spelling', async () => {
    await engine.up([list([row(0, { subscriptionGroups: { news: true } })])]);
    const { told } = await engine.preview([list(rows(0))]);
    expect(told.join()).toMatch(/changed \(no longer declared: subscriptionGroups.news 1\)/);
  });

  it('a record that turns out to be one that was there is told, and what it wrote is set back once it is gone', async () => {
    const first = { userId: 'u0', firstName: 'Ada' };
    await engine.up([list([first])]);
    const { told } = await engine.up([list([first, { email: 'p0@x.io', firstName: 'Adele' }])]);
    expect(told.join()).toMatch(/are one contact/);
    await engine.up([list([first])]);
    expect(service.find('p0@x.io')).toMatchObject({ firstName: 'Ada' });
  });

  test.each([
    ['is gone', () => service.people.splice(0, 1)],
    ['has another', () => Object.assign(service.find('u0') ?? {}, { email: 'other@x.io' })],
  ])('an address is free where its holder in the service %s', async (_name, change) => {
    await engine.up([list([row(0, { userId: 'u0' }), row(1, { userId: 'u1' })])]);
    change();
    const { errors } = await engine.up([list([{ ...row(0), userId: 'u1' }])]);
    expect(errors).toEqual([]);
    expect(service.find('u1')).toMatchObject({ email: 'p0@x.io' });
  });

  it('an address is still that of somebody who leaves, for one who was known by userId only', async () => {
    await engine.up([list([row(0, { userId: 'u0' }), { userId: 'u1' }])]);
    const { errors } = await engine.preview([list([{ ...row(0), userId: 'u1' }])]);
    expect(errors.join()).toMatch(/contacts\[0\] gets the email address of a contact that leaves/);
  });
});

describe('what a second attack found', () => {
  /** p2 gets another address, and p5 the one that was theirs. */
  function passOn(): void {
    Object.assign(service.find('u2') ?? {}, { email: 'z2@x.io' });
    Object.assign(service.find('u5') ?? {}, { email: 'p2@x.io' });
  }

  it('who left is told, where the address is of somebody else by now whom the list declares', async () => {
    await engine.up([list(rows(1, 2))]);
    await down([list(rows(1))]);
    passOn();
    const { errors, told } = await engine.up([list([row(1), { email: 'p2@x.io', userId: 'u5' }])]);
    expect(errors).toEqual([]);
    expect(told.join()).toMatch(/1 contact that left .* was not unsubscribed.*\(id c3\)/);
    expect(unsubscribed()).toEqual([]);
  });

  test.each<[string, Declared]>([
    ['another list', list([{ email: 'p2@x.io', userId: 'u5' }], { onRemove: 'retain' }, 'two')],
    ['a contact', { type: 'contact', name: 'one', inputs: { email: 'p2@x.io', userId: 'u5' } }],
  ])('the same where %s declares them', async (_name, other) => {
    await engine.up([list(rows(1, 2))]);
    passOn();
    const { errors, told } = await engine.up([list(rows(1)), other]);
    expect(errors).toEqual([]);
    expect(told.join()).toMatch(/1 contact that left .* was not unsubscribed.*\(id c3\)/);
    expect(told.join()).not.toMatch(/left as they are, as/);
  });

  it('who stays by retain is told at a destroy as well', async () => {
    await engine.up([list(rows(1, 2, 3, 4))]);
    await down([list(rows(1, 2))]);
    await down([list([row(1, { firstName: 'G' })], { onRemove: 'retain' })]);
    const { told } = await engine.destroy();
    expect(told.join()).toMatch(/3 contacts of .* no longer declared stay/);
    expect(unsubscribed()).toEqual([]);
  });

  it('null of what is no field is refused like any other value', async () => {
    const { errors } = await engine.preview([list([{ email: 'p1@x.io', plan: null }])]);
    expect(errors.join()).toMatch(/'plan' is not a field of a contact/);
  });
});
