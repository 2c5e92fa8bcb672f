import type { PropertyType } from '../types.js';

/** Calls that can set fields of a contact, by their operation id. */
export type FieldWriter = 'updateContact' | 'sendEvent' | 'sendTransactionalEmail';

/** What is known of one field of a contact. */
export interface ContactField {
  /** Name that users see. */
  readonly label: string;
  /** What it is, as a sentence for people. */
  readonly description: string;
  /** Type of its value; `groups` is a map of subscription group id to boolean. */
  readonly type: PropertyType | 'groups';
  /** Whether a contact is found by it. */
  readonly isIdentifier?: true;
  /** Whether `null` in an update clears it. */
  readonly clearable: boolean;
  /** Calls that can set it; empty where no call can. */
  readonly setBy: readonly FieldWriter[];
  /** The one value that it can be set to, where there is only one. */
  readonly only?: false;
}

/** Every call that can set anything. */
const ALL = ['updateContact', 'sendEvent', 'sendTransactionalEmail'] as const;
const identifier = { type: 'string', isIdentifier: true, setBy: ALL } as const;
const text = { type: 'string', clearable: true } as const;

/**
 * The fields of a contact (interface: Contact), each declared once. Schemas, types, columns of files, form fields and
 * the sandbox's record are made from this table. The comment above an entry is what an editor shows of the field.
 */
export const CONTACT_FIELDS = {
  /** Email address: the primary identifier. */
  email: {
    ...identifier,
    label: 'Email',
    description: 'Email address: the primary identifier.',
    clearable: false,
  },
  /** First name. */
  firstName: { ...text, label: 'First Name', description: 'First name.', setBy: ALL },
  /** Last name. */
  lastName: { ...text, label: 'Last Name', description: 'Last name.', setBy: ALL },
  /** Client-side user identifier; can also be used to address the contact. */
  userId: {
    ...identifier,
    label: 'User ID',
    description: 'Client-side user identifier.',
    clearable: true,
  },
  /** Origin of the contact. */
  source: { ...text, label: 'Source', description: 'Origin of the contact.', setBy: ['updateContact'] },
  /** Overall subscription flag; it can only be set to `false`. */
  subscribed: {
    label: 'Subscribed',
    description: 'Overall subscription flag.',
    type: 'boolean',
    clearable: false,
    setBy: ['updateContact'],
    only: false,
  },
  /** Map of subscription group id to whether the contact is subscribed to it; we assume that others stay as they are. */
  subscriptionGroups: {
    label: 'Subscription Groups',
    description: 'Id of a subscription group to whether the contact is in it.',
    type: 'groups',
    clearable: false,
    setBy: ALL,
  },
  /** When the contact was created; no call sets it. */
  createdAt: {
    label: 'Created At',
    description: 'When the contact was created.',
    type: 'date',
    clearable: false,
    setBy: [],
  },
} as const satisfies AnyTable;

type Table = typeof CONTACT_FIELDS;
type AnyTable = Readonly<Record<string, ContactField>>;

/** Name of a field that every contact has. */
export type ContactFieldName = keyof Table;

/** Name of a field that identifies a contact. */
export type ContactIdentifierName = {
  [Name in ContactFieldName]: Table[Name] extends { readonly isIdentifier: true } ? Name : never;
}[ContactFieldName];

/** Names of the fields that a call can set. */
export type FieldSetBy<Writer extends FieldWriter> = {
  [Name in ContactFieldName]: Writer extends Table[Name]['setBy'][number] ? Name : never;
}[ContactFieldName];

/** Values of the named fields as they are set; each keeps the description that it has in the table. */
export type FieldValues<Names extends keyof Fields, Fields extends AnyTable = Table> = {
  [Name in Names]?: WrittenValue<Fields[Name]> | undefined;
};

/** The same for an update, where `null` clears what can be cleared. */
export type FieldUpdates<Names extends keyof Fields, Fields extends AnyTable = Table> = {
  [Name in Names]?:
    WrittenValue<Fields[Name]> | (Fields[Name]['clearable'] extends true ? null : never) | undefined;
};

/** Values of the named fields as they are read: absent or `null` where the contact has none. */
export type FieldsRead<Names extends keyof Fields, Fields extends AnyTable = Table> = {
  [Name in Names]?: ReadTypes[Fields[Name]['type']] | null | undefined;
};

/** What a field is set to: its one value where there is only one, else any of its type. */
type WrittenValue<Field extends ContactField> = Field extends { readonly only: infer Only }
  ? Only
  : WrittenTypes[Field['type']];

interface ReadTypes {
  string: string;
  number: number;
  boolean: boolean;
  /** Unix seconds. */
  date: number;
  groups: Record<string, boolean>;
}

interface WrittenTypes extends Omit<ReadTypes, 'date'> {
  /** A `Date` is sent as Unix seconds. */
  date: number | Date;
}

/** The table as a list of names and fields, for loops. */
export const contactFieldEntries = entriesOf<ContactFieldName>(CONTACT_FIELDS);

function entriesOf<Name extends string>(table: Readonly<Record<Name, ContactField>>) {
  const entries: (readonly [Name, ContactField])[] = [];
  for (const name in table) entries.push([name, table[name]]);
  return entries;
}

/** Names of the fields that a call can set, in the order of the table. */
export function fieldsSetBy(writer: FieldWriter): ContactFieldName[] {
  return contactFieldEntries.filter(([, { setBy }]) => setBy.includes(writer)).map(([name]) => name);
}

/** Whether `null` in an update clears a field, or a custom property. An identifier is not cleared: it names the contact. */
export function isClearable(name: string): boolean {
  const found = contactFieldEntries.find(([field]) => field === name);
  return found === undefined || (found[1].clearable && found[1].isIdentifier !== true);
}
