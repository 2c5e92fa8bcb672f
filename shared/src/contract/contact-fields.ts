import * as z from '../zod.js';
import { emailSchema, subscriptionGroupsSchema, userIdSchema } from './common.js';
import type { PropertyType } from './common.js';

/** Calls that can set fields of a contact, by their operation id. */
export type FieldWriter = 'updateContact' | 'sendEvent' | 'sendTransactionalEmail';

/** What is known of one field of a contact. */
export interface ContactField {
  /** Name that people see. */
  readonly label: string;
  /** Type of its value; `groups` is a map of subscription group id to boolean. */
  readonly type: PropertyType | 'groups';
  /** Whether a contact is found by it. */
  readonly isIdentifier?: true;
  /** Whether `null` in an update clears it. */
  readonly clearable: boolean;
  /** Calls that can set it; none for what the service keeps by itself. */
  readonly setBy: readonly FieldWriter[];
  /** Schema of a value to set. */
  readonly schema: z.ZodMiniType;
}

/** Every call that can set anything. */
const ALL = ['updateContact', 'sendEvent', 'sendTransactionalEmail'] as const;
const identifier = { type: 'string', isIdentifier: true, setBy: ALL } as const;
const detail = { type: 'string', clearable: true, schema: z.string() } as const;

/**
 * The fields of a contact (interface: Contact), each declared once. Schemas and types of requests and responses,
 * columns of files, fields of forms, and what the sandbox keeps of a contact are made from this table.
 */
export const CONTACT_FIELDS = {
  /** Primary identifier. */
  email: { ...identifier, label: 'Email', clearable: false, schema: emailSchema },
  /** First name. */
  firstName: { ...detail, label: 'First Name', setBy: ALL },
  /** Last name. */
  lastName: { ...detail, label: 'Last Name', setBy: ALL },
  /** Client-side user identifier; can also be used to address the contact. */
  userId: { ...identifier, label: 'User ID', clearable: true, schema: userIdSchema },
  /** Origin of the contact. */
  source: { ...detail, label: 'Source', setBy: ['updateContact'] },
  /** Overall subscription flag; it can only be set to `false`. */
  subscribed: {
    label: 'Subscribed',
    type: 'boolean',
    clearable: false,
    setBy: ['updateContact'],
    schema: z.literal(
      false,
      "can only be set to false: the service lets nobody but the contact turn 'subscribed' back on",
    ),
  },
  /** Map of subscription group id to whether the contact is subscribed to it; groups not named stay as they are. */
  subscriptionGroups: {
    label: 'Subscription Groups',
    type: 'groups',
    clearable: false,
    setBy: ALL,
    schema: subscriptionGroupsSchema,
  },
  /** When the contact was created; the service sets it by itself. */
  createdAt: {
    label: 'Created At',
    type: 'date',
    clearable: false,
    setBy: [],
    schema: z.int(),
  },
} as const satisfies Readonly<Record<string, ContactField>>;

type Table = typeof CONTACT_FIELDS;

/** Name of a field that every contact has. */
export type ContactFieldName = keyof Table;

/** Names of the fields that a call can set. */
export type FieldSetBy<Writer extends FieldWriter> = {
  [Name in ContactFieldName]: Writer extends Table[Name]['setBy'][number] ? Name : never;
}[ContactFieldName];

/** Values of the named fields as they are set; each keeps the description that it has in the table. */
export type FieldValues<
  Names extends keyof Fields,
  Fields extends Readonly<Record<string, ContactField>> = Table,
> = {
  [Name in Names]?: z.infer<Fields[Name]['schema']> | undefined;
};

/** The same for an update, where `null` clears what can be cleared. */
export type FieldUpdates<
  Names extends keyof Fields,
  Fields extends Readonly<Record<string, ContactField>> = Table,
> = {
  [Name in Names]?:
    z.infer<Fields[Name]['schema']> | (Fields[Name]['clearable'] extends true ? null : never) | undefined;
};

/** Values of the named fields as they are read: absent or `null` where the contact has none. */
export type FieldsRead<
  Names extends keyof Fields,
  Fields extends Readonly<Record<string, ContactField>> = Table,
> = {
  [Name in Names]?: ReadTypes[Fields[Name]['type']] | null | undefined;
};

interface ReadTypes {
  string: string;
  number: number;
  boolean: boolean;
  date: number;
  groups: Record<string, boolean>;
}

/** Schemas of what a field of each type holds on the wire. */
export const WIRE_SCHEMAS: Readonly<Record<ContactField['type'], z.ZodMiniType>> = {
  string: z.string(),
  number: z.number(),
  boolean: z.boolean(),
  date: z.number(),
  groups: z.record(z.string(), z.boolean()),
};

/** The table as a list of names and fields, for loops. */
export const contactFieldEntries: readonly (readonly [ContactFieldName, ContactField])[] =
  entriesOf(CONTACT_FIELDS);

function entriesOf<Name extends string>(
  table: Readonly<Record<Name, ContactField>>,
): (readonly [Name, ContactField])[] {
  const names: Name[] = [];
  for (const name in table) names.push(name);
  return names.map((name) => [name, table[name]] as const);
}

/** Names of the fields that a call can set, in the order of the table. */
export function fieldsSetBy(writer: FieldWriter): ContactFieldName[] {
  return contactFieldEntries.filter(([, { setBy }]) => setBy.includes(writer)).map(([name]) => name);
}

/** Optional schemas of the fields that a call can set; in an update, `null` clears what can be cleared. */
export function fieldSchemas(writer: FieldWriter): Record<string, z.ZodMiniType> {
  return Object.fromEntries(
    fieldsSetBy(writer).map((name) => {
      const { schema, clearable }: ContactField = CONTACT_FIELDS[name];
      return [name, z.optional(clearable && writer === 'updateContact' ? z.nullable(schema) : schema)];
    }),
  );
}

/** Lenient schemas of the fields of a contact as it is read. */
export function readSchemas(): Record<string, z.ZodMiniType> {
  return Object.fromEntries(
    contactFieldEntries
      .filter(([, { setBy }]) => setBy.length > 0)
      .map(([name, { type }]) => [name, z.nullish(WIRE_SCHEMAS[type])]),
  );
}
