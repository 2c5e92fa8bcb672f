import fc from 'fast-check';
import { FakeEngine } from '../../testing/fake-engine.js';
import type { Declared } from '../../testing/fake-engine.js';
import { FakeService } from '../../testing/fake-service.js';

// One person, whom a Contact declares by userId and a list by email: the program does not show that it is one.

const FIELDS = ['firstName', 'source', 'plan'];
const PERSON = { email: 'ada@x.io', userId: 'ada' };

const valuesOf = (fields: readonly string[]): Record<string, string> =>
  Object.fromEntries(fields.map((name) => [name, `my ${name}`]));
const declared = (fields: readonly string[]) => {
  const { plan, ...standard } = valuesOf(fields);
  return plan === undefined ? standard : { ...standard, properties: { plan } };
};
const contact = (fields: readonly string[]): Declared => ({
  type: 'contact',
  name: 'c',
  inputs: { userId: PERSON.userId, ...declared(fields) },
});
const list = (fields: readonly string[], onRemove: string): Declared => ({
  type: 'contacts',
  name: 'l',
  inputs: { contacts: [{ email: PERSON.email, ...declared(fields) }, { email: 'grace@x.io' }], onRemove },
});

describe('a person whom a Contact and a list declare', () => {
  let service: FakeService;
  let engine: FakeEngine;
  const start = (tellsIds = true) => {
    service = new FakeService();
    service.tellsIds = tellsIds;
    for (const person of [PERSON, { email: 'grace@x.io' }]) service.add(person);
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

  it('loses what only the list has declared, once the Contact is gone', async () => {
    start();
    await engine.up([contact(['firstName'])]);
    await engine.up([contact(['firstName']), list(['firstName', 'source'], 'retain')]);
    await engine.up([list(['source'], 'retain')]);
    expect(service.find(PERSON.email)?.['firstName']).toBeNull();
    expect(service.find(PERSON.email)).toMatchObject({ source: 'my source' });
  });

  it('has all that is declared of it after each run that goes well, in whatever order it is declared', async () => {
    const fields = fc.subarray(FIELDS);
    const step = fc.record({ contact: fc.option(fields), list: fields, isListFirst: fc.boolean() });
    const history = fc.record({
      steps: fc.array(step, { minLength: 2, maxLength: 6 }),
      onRemove: fc.constantFrom('retain', 'unsubscribe'),
      tellsIds: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(history, async ({ steps, onRemove, tellsIds }) => {
        start(tellsIds);
        // A new Contact is looked up, and so refused beside the list.
        await engine.up([contact(['firstName'])]);
        for (const one of steps) {
          const program = [...(one.contact === null ? [] : [contact(one.contact)]), list(one.list, onRemove)];
          const { errors } = await engine.up(one.isListFirst ? program.reverse() : program);
          if (errors.length > 0) {
            expect(errors.join()).toMatch(/[Kk]eep one of them/);
            return;
          }
          const all = valuesOf([...(one.contact ?? []), ...one.list]);
          expect(service.find(PERSON.email)).toMatchObject(all);
        }
      }),
      { numRuns: 300 },
    );
  });
});
