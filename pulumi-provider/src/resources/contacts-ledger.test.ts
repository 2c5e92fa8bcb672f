import fc from 'fast-check';
import { Ledger } from './contacts-ledger.js';

const fields = fc.record(
  {
    email: fc.emailAddress(),
    firstName: fc.string(),
    properties: fc.dictionary(fc.stringMatching(/^[a-z][a-zA-Z]{0,8}$/), fc.oneof(fc.integer(), fc.string())),
  },
  { requiredKeys: ['email'] },
);

describe('the ledger of contacts', () => {
  it('reads what it stored', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fields, { selector: ({ email }) => email.toLowerCase() }), (records) => {
        const ledger = new Ledger();
        for (const record of records) ledger.set(ledger.keyOf(record), ledger.entryOf(record));
        const copy = Ledger.read(ledger.store());
        expect(copy.keys()).toEqual(ledger.keys());
        for (const record of records) {
          expect(copy.get(copy.keyOf(record))).toEqual(ledger.entryOf(record));
        }
      }),
    );
  });

  it('keeps under 30 bytes a contact, and nothing that names a person', () => {
    const ledger = new Ledger();
    for (let index = 0; index < 10_000; index += 1) {
      const record = {
        email: `person-${index}@example.com`,
        firstName: `Name${index}`,
        properties: { plan: 'Pro' },
      };
      ledger.set(ledger.keyOf(record), ledger.entryOf(record));
    }
    const stored = JSON.stringify(ledger.store());
    expect(stored.length).toBeLessThan(300_000);
    expect(/person|Name\d|example/.test(stored)).toBe(false);
  });

  it('knows a contact by its userId whatever its email, and does not mind the case of an email', () => {
    const ledger = new Ledger();
    expect(ledger.keyOf({ email: 'a@example.com', userId: 'u' })).toBe(
      ledger.keyOf({ email: 'b@example.com', userId: 'u' }),
    );
    expect(ledger.keyOf({ email: 'A@example.com' })).toBe(ledger.keyOf({ email: 'a@example.com' }));
  });

  it('takes a date and its Unix seconds for the same, and the order of fields for nothing', () => {
    const ledger = new Ledger();
    const a = { email: 'a@example.com', properties: { at: new Date(5_000), b: 1 } };
    const b = { properties: { b: 1, at: 5 }, email: 'a@example.com' };
    expect(ledger.entryOf(a).content).toBe(ledger.entryOf(b).content);
  });
});
