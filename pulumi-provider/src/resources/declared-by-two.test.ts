import fc from 'fast-check';
import { FakeEngine } from '../../testing/fake-engine.js';
import type { Declared } from '../../testing/fake-engine.js';
import { FakeService } from '../../testing/fake-service.js';

// One person, whom a Contact declares by userId and a list by email: the program does not show that it is one.

const FIELDS = ['firstName', 'source', 'plan'];
const PERSON = { email: 'ada@x.io', userId: 'ada' };
/** Somebody else, of whom others have set other values since. */
const BOB = { email: 'bob@x.io', userId: 'bob' };
const SET_BY_OTHERS = { firstName: 'Robert', subscriptionGroups: { news: false } };

const valuesOf = (fields: readonly string[]): Record<string, string> =>
  Object.fromEntries(fields.map((name) => [name, `my ${name}`]));
const declared = (fields: readonly string[]) => {
  const { plan, ...standard } = valuesOf(fields);
  return plan === undefined ? standard : { ...standard, properties: { plan } };
};
const contact = (fields: readonly string[], provider = 'default'): Declared => ({
  ...{ type: 'contact', name: 'c', provider },
  inputs: { userId: PERSON.userId, ...declared(fields) },
});
/** @param byUserId fields of a second row, which names the same person by userId. */
const list = (
  fields: readonly string[],
  onRemove: string,
  byUserId?: readonly string[] | null,
): Declared => ({
  type: 'contacts',
  name: 'l',
  inputs: {
    contacts: [
      { email: PERSON.email, ...declared(fields) },
      ...(byUserId ? [{ userId: PERSON.userId, ...declared(byUserId) }] : []),
      { ...BOB, firstName: 'Bob', subscriptionGroups: { news: true } },
    ],
    onRemove,
  },
});

describe('a person whom a Contact and a list declare', () => {
  let service: FakeService;
  let engine: FakeEngine;
  const start = (tellsIds = true) => {
    service = new FakeService();
    service.tellsIds = tellsIds;
    for (const person of [PERSON, BOB]) service.add(person);
    engine = new FakeEngine(service);
  };

  it.each([
    ['retain', true],
    ['unsubscribe', true],
    ['retain', false],
    ['unsubscribe', false],
  ])(
    'keeps what the Contact declares, where a cell becomes empty: %s, ids told: %s',
    async (onRemove, ids) => {
      start(ids);
      await engine.up([contact(['firstName'])]);
      await engine.up([contact(['firstName']), list(['firstName', 'source'], onRemove)]);
      const { errors, told } = await engine.up([contact(['firstName']), list([], onRemove)]);
      expect(errors).toEqual([]);
      expect(told.join()).toMatch(/contacts\[0\]: firstName, source stay as before, as Contact 'c' declares/);
      expect(service.find(PERSON.email)).toMatchObject({ firstName: 'my firstName' });
    },
  );

  it.each([
    ['retain', 400],
    ['unsubscribe', 404],
  ])('keeps it where the service does not show whose it is: %s, %s', async (onRemove, status) => {
    start();
    await engine.up([contact(['plan'])]);
    await engine.up([contact(['plan']), list(['plan'], onRemove)]);
    service.reply = (request) =>
      request === `GET /v1/contacts/${PERSON.email}` ? [status, { success: false }] : undefined;
    const { errors } = await engine.up([contact(['plan']), list([], onRemove)]);
    expect(errors.join()).toMatch(/the service does not show the contact/);
    expect(service.find(PERSON.email)).toMatchObject({ plan: 'my plan' });
  });

  it.each(['plan', 'constructor'])(
    'keeps what the list declares, where the Contact drops it: %s',
    async (name) => {
      start();
      if (name !== 'plan') service.properties.push({ key: name, label: name, type: 'string' });
      const properties = { [name]: 'mine' };
      const byUserId = (inputs: object): Declared => ({
        ...contact([]),
        inputs: { userId: PERSON.userId, ...inputs },
      });
      const byEmail: Declared = {
        ...{ type: 'contacts', name: 'l' },
        inputs: { contacts: [{ email: PERSON.email, properties }] },
      };
      await engine.up([byUserId({ properties })]);
      await engine.up([byEmail, byUserId({ properties })]);
      const { errors } = await engine.up([byEmail, byUserId({})]);
      expect(errors).toEqual([]);
      expect(service.find(PERSON.email)).toMatchObject({ [name]: 'mine' });
    },
  );

  it('loses what only the list has declared, once the Contact is gone', async () => {
    start();
    await engine.up([contact(['firstName'])]);
    await engine.up([contact(['firstName']), list(['firstName', 'source'], 'retain')]);
    await engine.up([list(['source'], 'retain')]);
    expect(service.find(PERSON.email)?.['firstName']).toBeNull();
    expect(service.find(PERSON.email)).toMatchObject({ source: 'my source' });
  });

  it('keeps what others have set, where its address goes to somebody else in the run', async () => {
    start();
    const rename = (email: string, fields: readonly string[]): Declared => ({
      ...{ type: 'contact', name: 'u' },
      inputs: { ...PERSON, email, ...declared(fields) },
    });
    const bob = (email: string): Declared => ({
      ...{ type: 'contacts', name: 'l' },
      inputs: {
        contacts: [{ userId: BOB.userId, email, firstName: 'Bob', subscriptionGroups: { news: true } }],
      },
    });
    await engine.up([rename(PERSON.email, ['firstName']), bob(BOB.email)]);
    Object.assign(service.find(BOB.userId) ?? {}, SET_BY_OTHERS);
    const { errors } = await engine.up([rename('new@x.io', []), bob(PERSON.email)]);
    expect(errors).toEqual([]);
    expect(service.find(BOB.userId)).toMatchObject({ ...SET_BY_OTHERS, email: PERSON.email });
    expect(service.find(PERSON.userId)).toMatchObject({ firstName: null, email: 'new@x.io' });
  });

  it('has all that is declared of it after each run that goes well, in whatever order it is declared', async () => {
    const fields = fc.subarray(FIELDS);
    const step = fc.record({
      list: fields,
      byUserId: fc.record({ fields, in: fc.constantFrom('contact', 'row', 'nobody') }),
      isListFirst: fc.boolean(),
    });
    const history = fc.record({
      steps: fc.array(step, { minLength: 2, maxLength: 6 }),
      onRemove: fc.constantFrom('retain', 'unsubscribe'),
      tellsIds: fc.boolean(),
      provider: fc.constantFrom('default', 'other'),
      isList: fc.boolean(),
    });
    let [runs, refused] = [0, 0];
    await fc.assert(
      fc.asyncProperty(history, async ({ steps, onRemove, tellsIds, provider, isList }) => {
        start(tellsIds);
        // A new Contact is looked up, and so refused beside the list.
        await engine.up([contact(['firstName'], provider)]);
        let isBobWritten = false;
        for (const one of steps) {
          const { fields: own, in: place } = one.byUserId;
          const program = [
            ...(place === 'contact' ? [contact(own, provider)] : []),
            isList
              ? list(one.list, onRemove, place === 'row' ? own : null)
              : {
                  ...contact([], provider),
                  name: 'd',
                  inputs: { email: PERSON.email, ...declared(one.list) },
                },
          ];
          const { errors } = await engine.up(one.isListFirst ? program.reverse() : program);
          runs += 1;
          if (errors.length > 0) {
            refused += 1;
            expect(errors.join()).toMatch(/[Kk]eep one of them/);
            continue;
          }
          const isDeclared = place === 'contact' || (place === 'row' && isList);
          const all = valuesOf([...(isDeclared ? own : []), ...one.list]);
          expect(service.find(PERSON.email)).toMatchObject(all);
          if (isList && isBobWritten) expect(service.find(BOB.email)).toMatchObject(SET_BY_OTHERS);
          Object.assign(service.find(BOB.email) ?? {}, SET_BY_OTHERS);
          isBobWritten = true;
        }
      }),
      { numRuns: Number(process.env['HISTORIES'] ?? 100) },
    );
    // Most of them tell something.
    expect(refused / runs).toBeLessThan(0.4);
  });
});
