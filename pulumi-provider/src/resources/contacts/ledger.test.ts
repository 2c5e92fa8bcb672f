import fc from 'fast-check';
import { Ledger } from './ledger.js';

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
        for (const record of records) ledger.set(record);
        const copy = Ledger.read({ ...ledger.store(), identities: ledger.identities() });
        expect(copy.all().length).toBe(records.length);
        for (const record of records) {
          expect(copy.find(record)).toEqual([ledger.entryOf(record)]);
          expect(copy.holds(record)).toBe(true);
        }
      }),
    );
  });

  it('keeps under 40 bytes a contact, and nothing that names a person', () => {
    const ledger = new Ledger();
    for (let index = 0; index < 10_000; index += 1) {
      const record = {
        email: `person-${index}@example.com`,
        firstName: `Name${index}`,
        properties: { plan: 'Pro' },
      };
      ledger.set(record);
    }
    const stored = JSON.stringify(ledger.store());
    expect(stored.length).toBeLessThan(400_000);
    expect(/person|Name\d|example/.test(stored)).toBe(false);
  });

  it('knows a person by either identifier, and does not mind the case of an email', () => {
    const ledger = new Ledger();
    const entry = ledger.set({ email: 'a@example.com', userId: 'u' });
    expect(ledger.find({ email: 'A@Example.com' })).toEqual([entry]);
    expect(ledger.find({ email: 'b@example.com', userId: 'u' })).toEqual([entry]);
    expect(ledger.find({ email: 'b@example.com' })).toEqual([]);
  });

  it('is one entry where two of before are one person now', () => {
    const ledger = new Ledger();
    ledger.set({ email: 'a@example.com' });
    ledger.set({ userId: 'u' });
    ledger.set({ email: 'a@example.com', userId: 'u' });
    expect(ledger.all().length).toBe(1);
  });

  it('takes a date and its Unix seconds for the same, and the order of fields for nothing', () => {
    const ledger = new Ledger();
    const a = { email: 'a@example.com', properties: { at: new Date(5_000), b: 1 } };
    const b = { properties: { b: 1, at: 5 }, email: 'a@example.com' };
    expect(ledger.entryOf(a).content).toBe(ledger.entryOf(b).content);
  });
});
