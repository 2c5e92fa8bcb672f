import type { FieldSetBy } from 'audience-core/internal';

/** What people read of a resource, a function or a type: Markdown. */
export interface Text {
  readonly description: string;
  /** Of each field, by its name. */
  readonly fields: Readonly<Record<string, string>>;
}

type FieldTexts = Readonly<Record<FieldSetBy<'updateContact'> | 'properties', string>>;

/** Fields of a contact that the service has. */
const FIELDS = {
  email: 'Email address: the primary identifier.',
  firstName: 'First name.',
  lastName: 'Last name.',
  userId: 'Client-side user identifier.',
  source: 'Origin of the contact.',
  subscribed: 'Overall subscription flag: `false` for a contact who is unsubscribed from all mailings.',
  subscriptionGroups: 'Id of a subscription group to whether the contact is in it.',
  properties: 'Values of custom properties, by name; dates as Unix seconds.',
} satisfies FieldTexts;

/** The same where a program declares them. */
const DECLARED = {
  email:
    'Email address: the primary identifier. It can only be changed for a contact with a declared `userId`.',
  firstName: 'First name.',
  lastName: 'Last name.',
  userId: 'Client-side user identifier; it finds the contact, too. One that exists cannot be changed.',
  source: 'Origin of the contact.',
  subscribed: 'Set to `false` to unsubscribe the contact for good. `true` is not allowed.',
  subscriptionGroups:
    'Id of a subscription group to whether the contact is in it. Groups that are not named stay as they are. `true` is written once: a contact who leaves the group is not brought back.',
  properties:
    'Values of custom properties, by name. Dates are ISO 8601, such as `2027-01-31` or `2027-01-31T09:30:00Z` (UTC unless they name an offset), or Unix seconds; state has seconds.',
  clear:
    'Names of fields and properties to clear, such as `firstName`. They are cleared at every run in which they have a value.',
} satisfies FieldTexts & Readonly<Record<'clear', string>>;

const PROPERTY_FIELDS = {
  key: 'camelCase name; the field of a contact.',
  label: 'Name that people see.',
  type: 'Type of the values.',
};

const EVENT =
  'Event that creates a contact which does not exist: the service has no call that only creates one.';

/** Texts of the resources, by their names in the registry. */
export const RESOURCE_TEXTS = {
  contactProperty: {
    description:
      "A custom contact property. One that exists with this type is managed from then on. The service never changes its type and never deletes one: removed from the program, it leaves Pulumi's state only.",
    fields: {
      name: 'camelCase name, neither reserved nor built in. Another name is another property: the old one stays in the service.',
      type: 'Type of its values. It can never be changed.',
    },
  },
  contact: {
    description:
      'A contact of the audience. What is declared is written; what is not declared, or no longer, keeps its value. `id` is the id that the service gave the contact.\n\nA contact with a custom property that the program declares depends on it: say so with `dependsOn`.',
    fields: { ...DECLARED, createWithEvent: EVENT },
  },
  contacts: {
    description:
      'Many contacts in one resource, of a file or an array. A run writes only what has changed in the list, many contacts at once under the rate limit of the service. Contacts that are no longer in the list stay as they are.',
    fields: {
      file: 'CSV, JSON Lines or JSON array, by a path from the folder of the program. State keeps the path and hashes, no personal data. A column is a field of a Contact, `subscriptionGroups.<id>` or a contact property, by its name; an empty cell declares nothing.',
      contacts: 'The contacts themselves, in place of a file. State keeps them as a secret.',
      columns:
        "Headers with their fields, such as `{ 'Email Address': 'email', 'Plan': 'planName' }`. Other columns are not read. Unset, every column must be a field or a contact property.",
      encoding:
        "Encoding of the file, such as `windows-1252`; `utf-8` unless given. A file's byte order mark wins.",
      nullValues: 'Texts that are read as an empty cell, such as `NULL`.',
      emptyCells:
        '`ignore` unless given: an empty cell declares nothing. `clear`: it clears the value that an earlier run wrote; never of email, userId, `subscribed` or a group.',
      dateFormat:
        "Fields with the form of their dates, such as `{ signedUp: 'dd/MM/yyyy' }`. Unset, dates are ISO 8601 or Unix seconds, in UTC unless they have an offset.",
      invalidRows:
        '`fail` unless given: a row with a wrong value is an error. `skip`: up to 5 % of the rows are left out and listed.',
      maxUnsubscribes:
        'How many contacts one run may newly unsubscribe; more are refused at preview. A tenth of the list, and at least 10, unless given.',
      createWithEvent: EVENT,
      count: 'How many contacts are declared.',
      added: 'How many contacts the last run wrote that state did not know.',
      changed: 'How many known contacts the last run wrote.',
      unchanged: 'How many contacts the last run found unchanged.',
      notListedAnyMore: 'How many rows the list had at the run before, and has no more.',
      skipped: 'How many rows were skipped.',
    },
  },
} as const satisfies Readonly<Record<string, Text>>;

/** Texts of the provider's arguments. */
export const ARGUMENT_TEXTS: Readonly<Record<string, string>> = {
  baseUrl:
    'Address of the service, such as `https://api.example.com`. The environment variable AUDIENCE_BASE_URL is its default.',
  apiKey:
    'API key of the service; state keeps it encrypted. The environment variable AUDIENCE_API_KEY is its default.',
  requestsPerSecond:
    'Maximum number of requests per second. If not set, the provider adapts to the limit of the service.',
  concurrency: 'Maximum number of requests at the same time.',
  allowInsecure: 'Allows plain http to other machines: the API key then crosses the network in the open.',
};

/** Texts of the functions, by their names in the registry. */
export const FUNCTION_TEXTS = {
  getContact: {
    description: 'A contact as the service has it (GET /v1/contacts/{identifier}).',
    fields: { ...FIELDS, id: 'Id of the contact.' },
  },
  getContactProperties: {
    description: 'Contact properties (GET /v1/contacts/properties).',
    fields: {
      list: '`all` unless given: every property; `custom`: those that people made.',
      contactProperties: 'The properties.',
    },
  },
  getContactProperty: {
    description: 'The contact property of a name; an error lists what there is.',
    fields: { name: 'Its key.', ...PROPERTY_FIELDS },
  },
  getSubscriptionGroups: {
    description: 'Subscription groups (GET /v1/subscription-groups).',
    fields: { subscriptionGroups: 'The groups.' },
  },
  getSubscriptionGroup: {
    description: 'The subscription group of a name; an error lists what there is.',
    fields: { name: 'Its name.', id: 'Its id.', description: 'What it is for.' },
  },
  getTransactionalEmails: {
    description: 'All transactional email designs (GET /v1/transactional).',
    fields: { transactionalEmails: 'The designs.' },
  },
  getTransactionalEmail: {
    description: 'The transactional email design of a name; an error lists what there is.',
    fields: {
      name: 'Its name.',
      id: 'Its id: the `transactionalId` to send it by.',
      lastUpdated: 'When it was changed last: ISO 8601, in UTC.',
      dataVariables: 'Names of the variables that it expects.',
    },
  },
} as const satisfies Readonly<Record<string, Text>>;

/** Texts of the types that resources and functions share, by their names. */
export const TYPE_TEXTS = {
  PropertyType: {
    description: 'Type of the values of a contact property.',
    fields: {
      string: 'Text.',
      number: 'A number, whole or decimal.',
      boolean: '`true` or `false`.',
      date: 'A date and time, with a precision of one second.',
    },
  },
  PropertyList: {
    description: 'Which contact properties are listed.',
    fields: { all: 'Every property.', custom: 'Those that people made.' },
  },
  CreationEvent: {
    description: EVENT,
    fields: {
      eventName: 'Name of the event. It triggers the automations that match it.',
      eventProperties: 'Variables for the emails of those automations.',
    },
  },
  ContactRecord: { description: 'One contact among many.', fields: DECLARED },
  ContactPropertyInfo: { description: 'A contact property, as listed.', fields: PROPERTY_FIELDS },
  SubscriptionGroup: {
    description: 'A subscription group.',
    fields: { id: 'Its id.', name: 'Its name.', description: 'What it is for.' },
  },
  TransactionalEmail: {
    description: 'A transactional email design.',
    fields: FUNCTION_TEXTS.getTransactionalEmail.fields,
  },
} as const satisfies Readonly<Record<string, Text>>;
