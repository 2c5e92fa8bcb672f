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

  it('the deletion of a contact likewise', async () => {
    service.reply = () => undefined;
    const ada: Declared = { type: 'contact', name: 'ada', inputs: { ...row(0), onDelete: 'unsubscribe' } };
    await engine.up([ada]);
    service.reply = (request) =>
      /^GET .*p0@/.test(request) ? [400, { error: 'no such contact' }] : undefined;
    const { errors, told } = await engine.up([]);
    expect(errors).toEqual([]);
    expect(told.join()).toMatch(
      /warning: Contact 'p0@x.io' \(id c1\) was not unsubscribed: the service refuses/,
    );
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
