import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  CONTACT_FIELDS,
  fieldsSetBy,
  type ContactField,
  type ContactFieldName,
} from 'audience-core/internal';
import { start } from '../../testing/start.js';
import type { ContactArgs, ContactPropertyArgs, ContactsArgs } from '../index.js';

const folder = mkdtempSync(path.join(tmpdir(), 'audience-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a file, and gives its path. */
function fileOf(name: string, text: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
}

type Inputs = Readonly<Record<string, unknown>>;
type Pair = readonly [one: unknown, other: unknown];
type Values<Args> = Readonly<Record<keyof Args, Pair>>;

const EMAIL = 'ada@example.com';
const PEOPLE = 'email,name,endsAt\nada@example.com,Zoë,01/02/2027\nbob@example.com,-,01/02/2027\n';
const OTHERS = 'email,name,endsAt\nada@example.com,Ada,01/02/2027\n';

const COLUMNS = { email: 'email', name: 'firstName', endsAt: 'endsAt' };

/** Two values of a field, by its type. */
const OF_FIELD: Readonly<Record<ContactField['type'], Pair>> = {
  string: ['A', 'B'],
  number: [1, 2],
  boolean: [undefined, false],
  date: ['2026-01-01', '2026-01-02'],
  groups: [{ news: false }, undefined],
};
const FIELDS = Object.fromEntries(
  fieldsSetBy('updateContact').map((name): [string, Pair] => [name, OF_FIELD[CONTACT_FIELDS[name].type]]),
);

/** Two values of each input. What the service receives of them has to differ, or what the person reads. */
const VALUES: {
  readonly contactProperty: Values<ContactPropertyArgs>;
  readonly contact: Values<Omit<ContactArgs, ContactFieldName>>;
  readonly contacts: Values<ContactsArgs>;
} = {
  contactProperty: { name: ['size', 'length'], type: ['string', 'number'] },
  contact: {
    ...FIELDS,
    ...{ email: [EMAIL, 'bob@example.com'] },
    properties: [{ plan: 'A' }, { plan: 'B' }],
    clear: [undefined, ['lastName']],
    createWithEvent: [{ eventName: 'a' }, { eventName: 'b' }],
  },
  contacts: {
    file: [fileOf('people.csv', PEOPLE), fileOf('others.csv', OTHERS)],
    contacts: [[{ email: EMAIL, firstName: 'A' }], [{ email: EMAIL, firstName: 'B' }]],
    columns: [COLUMNS, { ...COLUMNS, name: 'lastName' }],
    consent: ['mail', 'no mail'],
    encoding: ['utf-8', 'windows-1252'],
    nullValues: [[], ['-']],
    dateFormat: [{ endsAt: 'dd/MM/yyyy' }, { endsAt: 'MM/dd/yyyy' }],
    maxRemovals: [1, 0],
    createWithEvent: [{ eventName: 'a' }, { eventName: 'b' }],
  },
};

type Type = keyof typeof VALUES;

/** What a resource needs beside the input. */
const BESIDE: Readonly<Record<Type, Inputs>> = {
  contactProperty: { name: 'size', type: 'string' },
  contact: { email: 'eve@example.com', createWithEvent: { eventName: 'joined' } },
  contacts: {
    file: fileOf('both.csv', PEOPLE),
    columns: COLUMNS,
    consent: 'mail',
    dateFormat: { endsAt: 'dd/MM/yyyy' },
    createWithEvent: { eventName: 'joined' },
  },
};

/** Inputs that another one needs in place of those beside it. A file clears nothing. */
const INSTEAD: Readonly<Record<string, Inputs>> = {
  contacts: {},
  maxRemovals: { contacts: [{ email: EMAIL, lastName: null }] },
};

const KNOWN: Inputs = { contacts: [{ email: EMAIL, lastName: 'Love' }] };

/** What the service receives, and what the person reads. */
async function seen(type: Type, inputs: Inputs): Promise<{ received: string[]; errors: readonly string[] }> {
  const { service, engine } = start({ email: EMAIL, lastName: 'Love' });
  // A list takes nothing from a contact that it does not know.
  if (type === 'contacts') await engine.up([{ type, name: 'it', inputs: KNOWN }]);
  const { errors } = await engine.up([{ type, name: 'it', inputs }]);
  return { received: service.received, errors };
}

describe.each(['contactProperty', 'contact', 'contacts'] as const)(
  'code reads each input of a %s',
  (type) => {
    test.each(Object.entries<readonly unknown[]>(VALUES[type]))('%s', async (input, [value, otherValue]) => {
      const beside = INSTEAD[input] ?? BESIDE[type];
      const one = await seen(type, { ...beside, [input]: value });
      const other = await seen(type, { ...beside, [input]: otherValue });
      expect(one.errors).toEqual([]);
      expect(other).not.toEqual(one);
    });
  },
);
