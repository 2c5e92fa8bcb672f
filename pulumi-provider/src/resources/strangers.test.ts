import { FakeEngine } from '../../testing/fake-engine.js';
import type { Declared } from '../../testing/fake-engine.js';
import { FakeService } from '../../testing/fake-service.js';

// Addresses pass from one person to another, and responses are lost: what an outsider did on a real CLI.

let service: FakeService;
let engine: FakeEngine;
beforeEach(() => {
  service = new FakeService();
  engine = new FakeEngine(service);
});

const list = (contacts: readonly object[], more: object = {}, name = 'l'): Declared => ({
  type: 'contacts',
  name,
  inputs: { contacts, onRemove: 'unsubscribe', ...more },
});
const contact = (inputs: object, name = 'c'): Declared => ({ type: 'contact', name, inputs: { ...inputs } });
const unsubscribed = (): (string | undefined)[] =>
  service.people.filter((person) => person['subscribed'] === false).map(({ id }) => id);

/** What `cy` has from now on is somebody else's address. */
function passOn(email: string): void {
  const cy = service.find(email);
  if (cy !== undefined) cy.email = 'cy2@x.io';
  service.add({ email, firstName: 'New' });
}

describe('an address that passes to somebody else in the service', () => {
  const ADA = { email: 'ada@x.io' };
  const CY = { email: 'cy@x.io' };
  beforeEach(() => {
    for (const person of [ADA, CY]) service.add(person);
  });

  test.each([
    ['of a list that could always remove', true, 'unsubscribe'],
    ['of a list that only now can', true, 'retain'],
    ['where the service tells no id', false, 'unsubscribe'],
    ['of a list that only now can, where the service tells no id', false, 'retain'],
  ])('%s: who has it now is not removed', async (_name, tellsIds, first) => {
    service.tellsIds = tellsIds;
    await engine.up([list([CY, ADA], { onRemove: first })]);
    expect((await engine.up([list([CY, ADA])])).errors).toEqual([]);
    passOn(CY.email);
    const { errors, told } = await engine.up([list([ADA])]);
    expect(errors).toEqual([]);
    expect(told.join()).toMatch(/1 contact that left .* was not unsubscribed/);
    expect(unsubscribed()).toEqual([]);
  });

  it('is not written to, and a refresh says so', async () => {
    await engine.up([list([{ ...CY, firstName: 'C' }])]);
    passOn(CY.email);
    const { errors } = await engine.up([list([{ ...CY, firstName: 'CX' }])]);
    expect(errors.join()).toMatch(/leads to another contact of the service/);
    expect(service.find(CY.email)).toMatchObject({ firstName: 'New' });
    await engine.up([list([{ ...CY, firstName: 'C' }])]);
    const { told } = await engine.refresh();
    expect(told.join()).toMatch(/1 contact of .* has an address that leads to another contact/);
  });
});

describe('a userId with an @', () => {
  beforeEach(() => {
    service.add({ email: 'bob@x.io', userId: 'eve@x.io' });
    service.add({ email: 'eve@x.io', firstName: 'Eve' });
  });

  test.each([
    contact({ userId: 'eve@x.io', firstName: 'Bob' }),
    list([{ userId: 'eve@x.io', firstName: 'Bob' }]),
  ])('alone does not say who is meant: $type', async (declared) => {
    expect((await engine.up([declared])).errors.join()).toMatch(/declare the contact's 'email' as well/);
    expect(service.writes()).toEqual([]);
  });

  test.each([
    contact({ email: 'bob@x.io', userId: 'eve@x.io', firstName: 'Bob' }),
    list([{ email: 'bob@x.io', userId: 'eve@x.io', firstName: 'Bob' }]),
  ])('beside the email is the right person: $type', async (declared) => {
    expect((await engine.up([declared])).errors).toEqual([]);
    expect(service.people).toMatchObject([{ firstName: 'Bob' }, { firstName: 'Eve' }]);
  });

  it('leads to nobody where the email is not there', async () => {
    await engine.up([list([{ email: 'late@x.io', userId: 'eve@x.io', firstName: 'Late' }])]);
    expect(service.people[1]).toMatchObject({ email: 'eve@x.io', firstName: 'Eve' });
  });
});

describe('a change whose response is lost, and that is taken back', () => {
  beforeEach(() => {
    service.add({ email: 'ada@x.io' });
  });

  test.each([
    ['list', (fields: object) => list([{ email: 'ada@x.io', ...fields }])],
    ['contact', (fields: object) => contact({ email: 'ada@x.io', ...fields })],
  ])('is taken back in the service: %s', async (_name, declare) => {
    await engine.up([declare({ firstName: 'A1' })]);
    service.fault = (request) => (request.startsWith('PUT') ? 'cut after' : undefined);
    const { errors } = await engine.up([declare({ firstName: 'A2' })]);
    expect(errors).not.toEqual([]);
    service.fault = () => undefined;
    expect(service.people[0]).toMatchObject({ firstName: 'A2' });
    expect((await engine.up([declare({ firstName: 'A1' })])).errors).toEqual([]);
    expect(service.people[0]).toMatchObject({ firstName: 'A1' });
  });

  test.each([
    ['list', (fields: object) => list([{ email: 'ada@x.io', ...fields }])],
    ['contact', (fields: object) => contact({ email: 'ada@x.io', ...fields })],
  ])('of a value that was not declared before is cleared: %s', async (_name, declare) => {
    await engine.up([declare({})]);
    service.fault = (request) => (request.startsWith('PUT') ? 'cut after' : undefined);
    await engine.up([declare({ firstName: 'A2' })]);
    service.fault = () => undefined;
    expect((await engine.up([declare({})])).errors).toEqual([]);
    expect(service.people[0]).toMatchObject({ firstName: null });
  });

  test.each(['cut before', 'cut after'] as const)('and clears a value of a contact: %s', async (fault) => {
    await engine.up([contact({ email: 'ada@x.io', firstName: 'A', properties: { plan: 'P' } })]);
    service.fault = (request) => (request.startsWith('PUT') ? fault : undefined);
    await engine.up([contact({ email: 'ada@x.io' })]);
    service.fault = () => undefined;
    expect((await engine.up([contact({ email: 'ada@x.io' })])).errors).toEqual([]);
    expect(service.people[0]).toMatchObject({ firstName: null, plan: null });
  });
});

it('clear of a contact keeps what others have set, also after a refresh', async () => {
  service.add({ email: 'cy@x.io' });
  const declared = contact({
    email: 'cy@x.io',
    firstName: 'C1',
    properties: { plan: 'A' },
    onDelete: 'clear',
  });
  await engine.up([declared]);
  Object.assign(service.people[0] ?? {}, { firstName: 'Other' });
  await engine.refresh();
  await engine.refresh();
  await engine.up([]);
  expect(service.people[0]).toMatchObject({ firstName: 'Other', plan: null });
});

it('clear keeps what others have set, also where writing it back was unclear', async () => {
  service.add({ email: 'cy@x.io' });
  const declared = contact({ email: 'cy@x.io', firstName: 'C1', onDelete: 'clear' });
  await engine.up([declared]);
  Object.assign(service.people[0] ?? {}, { firstName: 'Other' });
  await engine.refresh();
  service.fault = (request) => (request.startsWith('PUT') ? 'cut before' : undefined);
  expect((await engine.up([declared])).errors).not.toEqual([]);
  service.fault = () => undefined;
  await engine.up([]);
  expect(service.people[0]).toMatchObject({ firstName: 'Other' });
});

it.each([false, true])(
  'a field that leaves the program stays where others have set it, refreshed: %s',
  async (isRefreshed) => {
    service.add({ email: 'cy@x.io' });
    await engine.up([
      contact({ email: 'cy@x.io', firstName: 'C1', lastName: 'L', properties: { plan: 'A' } }),
    ]);
    Object.assign(service.people[0] ?? {}, { firstName: 'Other' });
    if (isRefreshed) await engine.refresh();
    const { errors, told } = await engine.up([contact({ email: 'cy@x.io', lastName: 'L' })]);
    expect(errors).toEqual([]);
    expect(service.people[0]).toMatchObject({ firstName: 'Other', lastName: 'L', plan: null });
    expect(told.join()).toMatch(
      /Contact 'cy@x.io' keeps firstName, .*another value than any that Pulumi wrote/,
    );
    expect((await engine.up([contact({ email: 'cy@x.io', lastName: 'L' })])).told.join()).not.toMatch(
      /keeps/,
    );
  },
);

it('who is gone and comes back is new, however often it is refreshed', async () => {
  service.add({ email: 'cy@x.io' });
  await engine.up([list([{ email: 'cy@x.io', firstName: 'C' }])]);
  service.people.pop();
  await engine.refresh();
  service.add({ email: 'cy@x.io' });
  for (const _time of ['once', 'twice']) {
    const { told } = await engine.refresh();
    expect(told.join()).toMatch(/1 is gone from the service.*counts the latter as new/);
  }
  const { errors, told } = await engine.up([list([{ email: 'cy@x.io', firstName: 'C' }])]);
  expect(errors).toEqual([]);
  expect(told.join()).toMatch(/1 new/);
  expect(service.people[0]).toMatchObject({ firstName: 'C' });
});

it('another spelling of the address, or a userId beside it, is no other event', async () => {
  const createWithEvent = { eventName: 'invited' };
  service.reply = (request) => (/^(GET|PUT) .*\/n\d/i.test(request) ? [404, { success: false }] : undefined);
  await engine.up([list([{ email: 'n1@x.io' }, { email: 'n2@x.io' }], { createWithEvent })]);
  await engine.up([list([{ email: 'N1@X.io' }, { email: 'n2@x.io', userId: 'u2' }], { createWithEvent })]);
  expect(service.events).toHaveLength(2);
});

it("an address of an old list that is another's by now teaches no id", async () => {
  service.add({ email: 'a@x.io', userId: 'u1' });
  await engine.up([
    list([{ email: 'a@x.io', userId: 'u1' }, { email: 'b@x.io' }], {
      onRemove: 'retain',
      createWithEvent: { eventName: 'e' },
    }),
  ]);
  Object.assign(service.people[0] ?? {}, { email: 'moved@x.io', userId: 'u9' });
  service.add({ email: 'a@x.io', userId: 'u2' });
  await engine.up([list([{ email: 'a@x.io', userId: 'u1' }, { email: 'b@x.io' }])]);
  await engine.up([list([{ email: 'b@x.io' }])]);
  expect(unsubscribed()).toEqual([]);
});

it('an email that others changed stays, where another cell is edited', async () => {
  service.add({ email: 'cy@x.io', userId: 'u-cy' });
  const cy = { email: 'cy@x.io', userId: 'u-cy' };
  await engine.up([list([{ ...cy, firstName: 'C1' }])]);
  Object.assign(service.people[0] ?? {}, { email: 'cy2@x.io' });
  const { errors, told } = await engine.up([list([{ ...cy, firstName: 'C2' }])]);
  expect(errors).toEqual([]);
  expect(told.join()).toMatch(/1 changed \(firstName 1\)/);
  expect(service.people[0]).toMatchObject({ email: 'cy2@x.io', firstName: 'C2' });
});

it('a row with another userId does not take the address of whom it was about', async () => {
  service.add({ email: 'cy@x.io', userId: 'u-cy' });
  await engine.up([list([{ email: 'cy@x.io', userId: 'u-cy' }])]);
  const renamed = list([{ email: 'cy@x.io', userId: 'u-cy2' }]);
  for (const { errors } of [await engine.preview([renamed]), await engine.up([renamed])])
    expect(errors.join()).toMatch(/gets the email address of a contact that leaves.* with a new userId/);
  expect(service.people).toMatchObject([{ userId: 'u-cy', subscribed: true }]);
  // The way out that the message names.
  const [cy] = service.people;
  if (cy !== undefined) cy.userId = 'u-cy2';
  expect((await engine.up([list([{ email: 'cy@x.io', userId: 'u-cy2' }])])).errors).toEqual([]);
  expect(service.people).toMatchObject([{ userId: 'u-cy2', subscribed: true }]);
});

it.each(['unsubscribe', 'retain'])(
  'a new column userId gives nobody the id of somebody else: onRemove %s',
  async (onRemove) => {
    for (const name of ['a', 'b']) service.add({ email: `${name}@x.io`, userId: `u${name}` });
    await engine.up([list([{ email: 'a@x.io' }, { email: 'b@x.io' }], { onRemove })]);
    // A sheet in which one column was sorted by itself.
    const shifted = [
      { email: 'a@x.io', userId: 'ub' },
      { email: 'b@x.io', userId: 'uc' },
    ];
    for (const _time of ['the first time', 'and again']) {
      const { errors } = await engine.up([list(shifted, { onRemove })]);
      expect(errors.join()).toMatch(
        /0 of 2 contacts are done[^]*contacts\[0\]: the contact of its email has another userId/,
      );
    }
    expect(service.people).toMatchObject([{ userId: 'ua' }, { userId: 'ub' }]);
    const right = [
      { email: 'a@x.io', userId: 'ua' },
      { email: 'b@x.io', userId: 'ub' },
    ];
    expect((await engine.up([list(right, { onRemove })])).errors).toEqual([]);
  },
);

it('two rows that become one are refused at preview, as the service cannot make one contact of two', async () => {
  service.add({ email: 'a@x.io' });
  service.add({ userId: 'ub' });
  await engine.up([list([{ email: 'a@x.io' }, { userId: 'ub' }])]);
  const { errors } = await engine.preview([list([{ email: 'a@x.io', userId: 'ub' }])]);
  expect(errors.join()).toMatch(/contacts\[0\] has the email of one contact .* and the userId of another/);
});

it.each([
  ['both', { email: 'a@x.io', userId: 'ua' }, { email: 'z@x.io', userId: 'uz' }, 'email'],
  ['the other one', { email: 'a@x.io' }, { userId: 'uz' }, 'email'],
  ['another userId', { userId: 'ua' }, { userId: 'uz' }, 'userId'],
])(
  'a contact that gets other identifiers altogether (%s) is said to be the same person',
  async (_, before, after, is) => {
    service.add({ email: 'a@x.io', userId: 'ua' });
    await engine.up([contact({ ...before })]);
    const { told } = await engine.preview([contact({ ...after })]);
    expect(told.join()).toMatch(
      /has neither the email nor the userId of before.*that same person \(id c1\).*another name/,
    );
    const [[name, value] = []] = Object.entries(before).filter(([key]) => key === is);
    const kept = await engine.preview([contact({ ...after, [String(name)]: value })]);
    expect(kept.told.join()).not.toMatch(/of before/);
  },
);

it('what a refresh compares before the check is not what is replaced', async () => {
  service.add({ email: 'bob@x.io' });
  await engine.up([contact({ email: 'bob@x.io', onDelete: 'unsubscribe' })]);
  await engine.up([], true);
  expect(unsubscribed()).toEqual(['c1']);
});

it('one person by email in one list and by userId in another is told', async () => {
  service.add({ email: 'cy@x.io', userId: 'u-cy' });
  const { told } = await engine.up([
    list([{ email: 'cy@x.io', firstName: 'A' }]),
    list([{ userId: 'u-cy', firstName: 'B' }], {}, 'm'),
  ]);
  expect(told.join()).toMatch(/Contacts 'm' .* and Contacts 'l' .* are one contact of the service/);
});
