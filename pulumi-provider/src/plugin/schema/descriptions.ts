import type { FieldSetBy } from 'audience-core/internal';

/** What people read of a resource, a function or a type: Markdown. */
export interface Text {
  readonly description: string;
  /** Of each field, by its name. */
  readonly fields: Readonly<Record<string, string>>;
}

const FIELDS = {
  email:
    'Email address: the primary identifier of a contact. A new one needs a `userId` to find the contact by.',
  firstName: 'First name. Removed, it is cleared.',
  lastName: 'Last name. Removed, it is cleared.',
  userId: 'Client-side user identifier; it finds the contact as well.',
  source: 'Origin of the contact. Removed, it is cleared.',
  subscribed: 'Overall subscription flag. It can only be `false`: nobody but the contact subscribes again.',
  subscriptionGroups:
    'Id of a subscription group to whether the contact is in it. Groups that are not named stay as they are.',
  properties:
    'Values of custom properties, by name. Of a date: text in ISO 8601, such as `2027-01-31` or `2027-01-31T09:30:00Z` (UTC unless it names an offset), or Unix seconds; state has seconds. A value that is removed is cleared.',
} satisfies Readonly<Record<FieldSetBy<'updateContact'> | 'properties', string>>;

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
      "A custom contact property (interface: POST /v1/contacts/properties). The service never changes its type and never deletes one: removed from the program, it leaves Pulumi's state only.",
    fields: {
      name: 'camelCase name, neither reserved nor built in. Another name is another property: the old one stays in the service.',
      type: 'Type of its values. It can never be changed.',
      adopt: 'Adopts a property of that name and type that exists already; without it that is an error.',
    },
  },
  contact: {
    description:
      'A contact of the audience (interface: PUT /v1/contacts/{identifier}). A contact that exists is adopted: what is declared is set, all else stays. `id` is the id that the service gave it.\n\nA contact with a custom property that the program declares depends on it: say so with `dependsOn`.',
    fields: {
      ...FIELDS,
      createWithEvent: EVENT,
      onDelete:
        'What is done when the contact leaves the program; `retain` unless given. One that is declared elsewhere in the program is left alone.',
    },
  },
  contacts: {
    description:
      'Many contacts in one resource, of a file or an array. They are upserted concurrently under the rate limit of the service; a run writes only those that changed, and after a failure the next run goes on from what was done.',
    fields: {
      file: 'CSV or JSON Lines file in UTF-8, by a path from the folder of the program. State keeps the path and a hash per contact. A CSV file has a header: `email`, `userId` and the other fields of a Contact by their names, `subscriptionGroups.<id>`, and custom properties by their names; an empty cell declares nothing.',
      format: 'Form of the file, where its name does not tell.',
      delimiter: 'What stands between the cells of a CSV file; found in its header unless given.',
      contacts: 'The contacts themselves, in place of a file. State keeps them as a secret.',
      propertyTypes: 'Types of custom properties, where the service should not be asked.',
      onRemove:
        'What is done with a contact that is no longer declared, here or elsewhere in the program; `retain` unless given. For the other two state keeps the addresses, as a secret.',
      maxRemovals:
        "How many contacts may leave in one run where `onRemove` takes something from them, the whole list included; more are refused before anybody is touched. A tenth of the last run's number, and at least 10, unless given.",
      allowEmpty:
        'Whether there may be no contact at all: an empty file is refused otherwise, as it may have been cut off.',
      createWithEvent: EVENT,
      count: 'How many contacts are declared.',
    },
  },
} as const satisfies Readonly<Record<string, Text>>;

/** Texts of the provider's arguments. */
export const ARGUMENT_TEXTS: Readonly<Record<string, string>> = {
  baseUrl:
    'Address of the service, such as `https://api.example.com`. The environment variable AUDIENCE_BASE_URL stands in for it.',
  apiKey:
    'API key of the service. State keeps it encrypted. The environment variable AUDIENCE_API_KEY stands in for it, and is kept nowhere.',
  requestsPerSecond: "Requests per second at most; unset, the service's own limit is found.",
  concurrency: 'Requests at once at most.',
  allowInsecure: 'Allows plain http to other machines: the API key then crosses the network in the open.',
};

const CONTACT = { id: 'Id of the contact.', ...FIELDS };

/** Texts of the functions, by their names in the registry. */
export const FUNCTION_TEXTS = {
  getContact: {
    description: 'A contact as the service has it (interface: GET /v1/contacts/{identifier}).',
    fields: { ...CONTACT, properties: 'Values of custom properties, by name; dates as Unix seconds.' },
  },
  getContactProperties: {
    description: 'Contact properties (interface: GET /v1/contacts/properties).',
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
    description: 'Subscription groups (interface: GET /v1/subscription-groups).',
    fields: { subscriptionGroups: 'The groups.' },
  },
  getSubscriptionGroup: {
    description: 'The subscription group of a name; an error lists what there is.',
    fields: { name: 'Its name.', id: 'Its id.', description: 'What it is for.' },
  },
  getTransactionalEmails: {
    description: 'All transactional email designs (interface: GET /v1/transactional).',
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
      date: 'A point in time, in whole seconds.',
    },
  },
  RemovalPolicy: {
    description: 'What is done with a contact that leaves the program. The service never deletes one.',
    fields: {
      retain: 'Leaves it as it is.',
      unsubscribe: 'Unsubscribes it for good: only the contact can subscribe again.',
      clear: 'Clears the fields that were declared.',
    },
  },
  FileFormat: {
    description: 'Form of a file of contacts.',
    fields: { csv: 'Comma-separated values, with a header.', jsonl: 'JSON Lines: an object a line.' },
  },
  Delimiter: {
    description: 'What stands between the cells of a CSV file.',
    fields: { ',': 'A comma.', ';': 'A semicolon.', '\t': 'A tab.', '|': 'A vertical bar.' },
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
  ContactRecord: { description: 'One contact among many.', fields: FIELDS },
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
