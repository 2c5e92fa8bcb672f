import { KEPT_FIELDS, type ContactRecord } from '../account/contact-record.js';
import type { EventRecord } from '../account/records.js';
import { putDesign } from '../seed/apply-seed.js';
import { exportSeed } from '../seed/export-seed.js';
import { seedDesignSchema, seedSchema } from '../seed/schema.js';
import { controlEndpoint } from './endpoint.js';
import { pageOf, searchQuery, type SearchQuery } from './page.js';

/** The items with a text that holds a part, the newest first. */
function newest<Item>(
  all: Iterable<Item>,
  texts: (item: Item) => readonly unknown[],
  { search = '', ...range }: SearchQuery,
): { total: number; items: Item[] } {
  const holds = (text: unknown) =>
    typeof text === 'string' && text.toLowerCase().includes(search.toLowerCase());
  return pageOf([...all].filter((item) => texts(item).some(holds)).reverse(), range, (item) => item);
}

/** The texts of a contact, and of an event, that a search looks at. */
const textsOf = (contact: ContactRecord) => KEPT_FIELDS.map((name): unknown => Reflect.get(contact, name));
const textsOfEvent = ({ name, email, userId }: EventRecord) => [name, email, userId];

export const accountEndpoints = [
  controlEndpoint('PUT /seed', { body: seedSchema, acceptsYaml: true }, ({ sandbox, body }) =>
    sandbox.load(body),
  ),
  controlEndpoint('POST /reset', {}, ({ sandbox }) => sandbox.reset()),
  controlEndpoint('GET /export', {}, ({ sandbox }) => exportSeed(sandbox.account)),
  controlEndpoint('POST /designs', { body: seedDesignSchema }, ({ sandbox, body }) => {
    putDesign(sandbox.account, body);
  }),
  controlEndpoint('GET /contacts', { query: searchQuery }, ({ sandbox, query }) =>
    newest(sandbox.account.contacts.values(), textsOf, query),
  ),
  controlEndpoint('GET /contacts/{id}', {}, ({ sandbox, id }) => sandbox.contactNamed(id)),
  controlEndpoint('DELETE /contacts/{id}', {}, ({ sandbox, id }) => sandbox.deleteContact(id)),
  controlEndpoint('GET /events', { query: searchQuery }, ({ sandbox, query }) =>
    newest(sandbox.account.events.values(), textsOfEvent, query),
  ),
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
