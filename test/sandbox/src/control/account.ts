import * as z from 'zod/mini';
import { contactRecordSchema, KEPT_FIELDS, type ContactRecord } from '../account/contact-record.js';
import {
  eventRecordSchema,
  groupRecordSchema,
  propertyRecordSchema,
  type EventRecord,
} from '../account/records.js';
import { putDesign } from '../seed/apply-seed.js';
import { exportSeed } from '../seed/export-seed.js';
import { seedDesignSchema, seedSchema } from '../seed/schema.js';
import { actionEndpoint, controlEndpoint, endpoints } from './endpoint.js';
import { page, pageOf, pageQuery } from './page.js';

/** The items with a text that holds a part, the newest first. */
function newest<Item>(
  all: Iterable<Item>,
  texts: (item: Item) => readonly unknown[],
  { search = '', ...range }: z.output<typeof pageQuery> & { readonly search?: string | undefined },
): { total: number; items: Item[] } {
  const holds = (text: unknown) =>
    typeof text === 'string' && text.toLowerCase().includes(search.toLowerCase());
  return pageOf([...all].filter((item) => texts(item).some(holds)).reverse(), range, (item) => item);
}

export const accountEndpoints = endpoints('account', {
  loadSeed: actionEndpoint(
    'PUT /seed',
    'Replace everything by a seed, which later resets go back to',
    { body: seedSchema, acceptsYaml: true },
    ({ sandbox, body }) => sandbox.load(body),
  ),
  reset: actionEndpoint(
    'POST /reset',
    'Go back to the start: the seed, no mails, events, log, keys or faults, the first profile, the right time',
    {},
    ({ sandbox }) => sandbox.reset(),
  ),
  exportAccount: controlEndpoint(
    'GET /export',
    'Everything that the account holds, as a seed',
    { response: seedSchema },
    ({ sandbox }) => exportSeed(sandbox.account),
  ),
  addDesign: actionEndpoint(
    'POST /designs',
    'Add a design, or change the one with its id',
    { body: seedDesignSchema },
    ({ sandbox, body }) => putDesign(sandbox.account, body),
  ),
  listContacts: controlEndpoint(
    'GET /contacts',
    'List contacts, the newest first',
    {
      query: z.extend(pageQuery, {
        search: z
          .optional(z.string())
          .check(z.describe('Part of any of its texts, such as an address, userId or name.')),
      }),
      response: page(contactRecordSchema),
    },
    ({ sandbox, query }) => {
      const texts = (contact: ContactRecord) =>
        KEPT_FIELDS.map((name): unknown => Reflect.get(contact, name));
      return newest(sandbox.account.contacts.values(), texts, query);
    },
  ),
  deleteContact: actionEndpoint(
    'DELETE /contacts/{id}',
    'Delete a contact, by email address, userId or id, as somebody who works in the service does',
    { idOf: 'the contact' },
    ({ sandbox, id }) => sandbox.deleteContact(id),
  ),
  listEvents: controlEndpoint(
    'GET /events',
    'List events with what they triggered, the newest first',
    {
      query: z.extend(pageQuery, {
        search: z.optional(z.string()).check(z.describe('Part of the name, address or userId.')),
      }),
      response: page(eventRecordSchema),
    },
    ({ sandbox, query }) => {
      const texts = ({ name, email, userId }: EventRecord) => [name, email, userId];
      return newest(sandbox.account.events.values(), texts, query);
    },
  ),
  listSchema: controlEndpoint(
    'GET /schema',
    'Custom properties, subscription groups, designs and automations',
    {
      response: z.object({
        properties: z.array(propertyRecordSchema),
        subscriptionGroups: z.array(groupRecordSchema),
        designs: z.array(
          z.object({
            id: z.string(),
            name: z.string(),
            lastUpdated: z.string(),
            dataVariables: z.array(z.string()),
          }),
        ),
        automations: z.array(z.object({ id: z.string(), name: z.string(), eventName: z.string() })),
      }),
    },
    ({ sandbox: { account } }) => ({
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
    }),
  ),
});
