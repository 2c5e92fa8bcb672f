import { KEPT_FIELDS, type ContactRecord } from '../account/contact-record.js';
import type { EventRecord } from '../account/records.js';
import { putDesign } from '../seed/apply-seed.js';
import { exportSeed } from '../seed/export-seed.js';
import { seedDesignSchema, seedSchema } from '../seed/schema.js';
import { controlEndpoint } from './endpoint.js';
import { found, pageOf, searchQuery } from './search.js';

/** The values of a contact, and of an event, that a search looks at. */
const valuesOfContact = (contact: ContactRecord) => [
  contact.id,
  ...KEPT_FIELDS.map((name): unknown => Reflect.get(contact, name)),
  ...Object.values(contact.properties),
];
const valuesOfEvent = ({ name, email, userId, key, properties }: EventRecord) => [
  ...[name, email, userId, key],
  ...Object.values(properties),
];

export const accountEndpoints = [
  controlEndpoint('PUT /seed', { body: seedSchema, acceptsYaml: true }, ({ sandbox, body }) =>
    sandbox.load(body),
  ),
  controlEndpoint('POST /reset', {}, ({ sandbox }) => sandbox.reset()),
  controlEndpoint('POST /clear', {}, ({ sandbox }) => sandbox.clear()),
  controlEndpoint('GET /export', {}, ({ sandbox }) => exportSeed(sandbox.account)),
  controlEndpoint('POST /designs', { body: seedDesignSchema }, ({ sandbox, body }) => {
    putDesign(sandbox.account, body);
  }),
  controlEndpoint('GET /contacts', { query: searchQuery }, ({ sandbox, query }) => {
    const { search = '', ...range } = query;
    const contacts = found(sandbox.account.contacts.values(), search, valuesOfContact);
    return pageOf(contacts, range, (contact) => contact);
  }),
  controlEndpoint('GET /contacts/{id}', {}, ({ sandbox, id }) => sandbox.contactNamed(id)),
  controlEndpoint('DELETE /contacts/{id}', {}, ({ sandbox, id }) => sandbox.deleteContact(id)),
  controlEndpoint('GET /events', { query: searchQuery }, ({ sandbox, query }) => {
    const { search = '', ...range } = query;
    const events = found(sandbox.account.events.values(), search, valuesOfEvent);
    return pageOf(events, range, (event) => event);
  }),
  controlEndpoint('GET /schema', {}, ({ sandbox: { account } }) => ({
    properties: [...account.properties.values()],
    subscriptionGroups: [...account.groups.values()],
    designs: [...account.designs.values()].map(({ id, name, lastUpdated, dataVariables }) => ({
      id,
      name,
      lastUpdated,
      dataVariables,
    })),
    automations: [...account.automations.values()].map(({ id, name, eventName }) => ({
      id,
      name,
      eventName,
    })),
  })),
];
