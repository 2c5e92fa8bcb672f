import type { ContactField } from 'audience-core/internal';
import { FIELDS } from '../../src/resources/contact-record/fields.js';

/** Markdown texts of a resource, a function or a type. */
export interface Text {
  readonly description: string;
  /** By field name. */
  readonly fields: Readonly<Record<string, string>>;
}

/** A text for each field of a contact. */
function textsOf(text: (field: ContactField) => string): Readonly<Record<string, string>> {
  return Object.fromEntries([...FIELDS].map(([name, field]) => [name, text(field)]));
}

/** Fields of a contact, as read. */
const READ = {
  ...textsOf(({ type, description }) => (type === 'date' ? `${description} Unix seconds.` : description)),
  properties: 'Values of custom properties, by name; dates as Unix seconds.',
};

const DATES =
  'Dates are ISO 8601, such as `2027-01-31` or `2027-01-31T09:30:00Z` (UTC unless they name an offset), or Unix seconds; state has seconds.';

/** Fields of a contact, as declared: the contract's texts, unless a declaration needs its own. */
const DECLARED = {
  ...textsOf(({ type, description }) => (type === 'date' ? `${description} ${DATES}` : description)),
  email: 'Email address: the primary identifier. It can be changed only with a declared `userId`.',
  userId:
    'Client-side user identifier; it also identifies the contact. The provider sets it once and never changes it.',
  subscribed: 'Set to `false` to unsubscribe the contact. `true` is not allowed.',
  subscriptionGroups:
    'Id of a subscription group to whether the contact is in it. Other groups are not sent: we assume that they stay as they are. `true` is written once: a contact that leaves the group later is not added again.',
  properties: `Values of custom properties, by name. ${DATES}`,
  clear:
    'Names of fields and properties to clear, such as `firstName`. Every run clears those that have a value.',
};

const PROPERTY_FIELDS = {
  key: 'camelCase name; the field of a contact.',
  label: 'Human-readable label.',
  type: 'Type of the values.',
};

const EVENT =
  'Event that creates a contact that does not exist: the API has no call that only creates one. It triggers the matching automations.';

/** Texts of the resources, by name. */
export const RESOURCE_TEXTS = {
  contactProperty: {
    description:
      "A custom contact property. An existing property of this type is adopted. The API has no call that changes its type or deletes it: removing it from the program removes it from Pulumi's state only.",
    fields: {
      name: 'camelCase name, neither reserved nor built in. A new name is a new property: the old one stays in the service.',
      type: 'Type of its values. It can never be changed.',
    },
  },
  contact: {
    description:
      'A contact of the audience. Declared values are written; others are not sent. `id` is the id of the contact in the service.\n\nSet `dependsOn` for custom properties that the program declares.',
    fields: { ...DECLARED, createWithEvent: EVENT },
  },
  contacts: {
    description:
      'Many contacts in one resource, from a file or an array. A run writes only what has changed in the list. Contacts that are no longer in the list are not changed.',
    fields: {
      file: 'Path of a CSV file, from the folder of the program. State keeps the path and hashes, no personal data. An empty cell declares nothing.',
      contacts: 'The contacts, instead of a file. State keeps them as a secret.',
      columns:
        "Header to field, such as `{ 'Email Address': 'email', 'Notes': '' }`; an empty text for a column that is not read. Every column is a field by its own name (`firstName`, `subscriptionGroups.<id>`, a contact property), or named here or in `consent`. Headers are compared without case, blanks, `-` and `_`.",
      consent:
        "Who wants mail; needed by a file that causes mail (`createWithEvent`, or a group). One answer for all rows, `mail` or `no mail`, or header to the answer to each text, such as `{ 'Status': { 'active': 'mail', 'left': 'no mail', 'pending': 'skip' } }`. An empty text is the empty cell, `*` is every other text, and never `mail`; a text without an answer is refused. `no mail` declares `subscribed: false`, `skip` leaves the row out.",
      encoding:
        "Encoding of the file, such as `windows-1252`; `utf-8` unless given. A file's byte order mark wins.",
      nullValues: 'Texts that are read as an empty cell, such as `NULL`.',
      dateFormat:
        "Field to date format, such as `{ signedUp: 'dd/MM/yyyy' }`. Unset, dates are ISO 8601 or Unix seconds, in UTC unless they have an offset.",
      maxRemovals:
        'How many contacts one run may unsubscribe, remove from a group or clear a value of. More are refused at preview. A tenth of the list, and at least 10, unless given.',
      createWithEvent: EVENT,
      count: 'How many contacts are declared.',
    },
  },
} as const satisfies Readonly<Record<string, Text>>;

/** Texts of the provider's arguments. */
export const ARGUMENT_TEXTS: Readonly<Record<string, string>> = {
  baseUrl:
    'Address of the service, such as `https://api.example.com`. The environment variable AUDIENCE_BASE_URL is its default.',
  apiKey:
    'API key of the service; state keeps it encrypted. The environment variable AUDIENCE_API_KEY is its default.',
  allowInsecure: 'Allows plain http to other machines: the API key is then sent without encryption.',
  movedFrom:
    'Earlier address of the same service, after it has moved. State that was written there is then used.',
};

/** Texts of the functions, by name. */
export const FUNCTION_TEXTS = {
  getContact: {
    description: 'A contact with its current data (GET /v1/contacts/{identifier}).',
    fields: { ...READ, id: 'Id of the contact.' },
  },
  getContactProperties: {
    description: 'Contact properties (GET /v1/contacts/properties).',
    fields: {
      list: '`all` unless given: every property; `custom`: those that are not built in.',
      contactProperties: 'The properties.',
    },
  },
  getContactProperty: {
    description: 'Finds a contact property by name.',
    fields: { name: 'Its key.', ...PROPERTY_FIELDS },
  },
  getSubscriptionGroups: {
    description: 'Subscription groups (GET /v1/subscription-groups).',
    fields: { subscriptionGroups: 'The groups.' },
  },
  getSubscriptionGroup: {
    description: 'Finds a subscription group by name.',
    fields: { name: 'Its name.', id: 'Its id.', description: 'Its description.' },
  },
  getTransactionalEmails: {
    description: 'All transactional email designs (GET /v1/transactional).',
    fields: { transactionalEmails: 'The designs.' },
  },
  getTransactionalEmail: {
    description: 'Finds a transactional email design by name.',
    fields: {
      name: 'Its name.',
      id: 'Its id: the `transactionalId` of a send.',
      lastUpdated: 'When it was last updated: ISO 8601, in UTC.',
      dataVariables: 'Names of the variables that it expects.',
    },
  },
} as const satisfies Readonly<Record<string, Text>>;

/** Texts of shared types, by name. */
export const TYPE_TEXTS = {
  PropertyType: {
    description: 'Type of the values of a contact property.',
    fields: {
      string: 'Text.',
      number: 'A number, whole or decimal.',
      boolean: '`true` or `false`.',
      date: 'A date and time, sent as Unix seconds.',
    },
  },
  PropertyList: {
    description: 'Which contact properties are listed.',
    fields: { all: 'Every property.', custom: 'Properties that are not built in.' },
  },
  ListConsent: {
    description: 'Who wants mail, for all rows of a file.',
    fields: { mail: 'All want mail.', 'no mail': 'None wants mail: each contact is unsubscribed.' },
  },
  ConsentAnswer: {
    description: 'Whether the contact of a row wants mail.',
    fields: {
      mail: 'Wants mail.',
      'no mail': 'Wants no mail: the contact is unsubscribed.',
      skip: 'The row is left out, and its contact is not changed.',
    },
  },
  CreationEvent: {
    description: EVENT,
    fields: {
      eventName: 'Name of the event. It triggers the automations that match it.',
      eventProperties: 'Variables for the emails of those automations.',
    },
  },
  ContactRecord: { description: 'One contact of a list.', fields: DECLARED },
  ContactPropertyInfo: { description: 'A contact property, as listed.', fields: PROPERTY_FIELDS },
  SubscriptionGroup: {
    description: 'A subscription group.',
    fields: { id: 'Its id.', name: 'Its name.', description: 'Its description.' },
  },
  TransactionalEmail: {
    description: 'A transactional email design.',
    fields: FUNCTION_TEXTS.getTransactionalEmail.fields,
  },
} as const satisfies Readonly<Record<string, Text>>;
