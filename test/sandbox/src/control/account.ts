import * as z from 'zod';
import { contactRecordSchema, KEPT_FIELDS } from '../account/contact-record.js';
import type { ContactRecord } from '../account/contact-record.js';
import type { EventRecord } from '../account/records.js';
import { eventRecordSchema, groupRecordSchema, propertyRecordSchema } from '../account/records.js';
import { putDesign } from '../seed/apply-seed.js';
import { exportSeed } from '../seed/export-seed.js';
import { seedDesignSchema, seedSchema } from '../seed/schema.js';
import { actionEndpoint, controlEndpoint } from './endpoint.js';
import { page, pageOf, pageQuery } from './page.js';

const tag = 'account';

export const loadSeed = actionEndpoint(
  {
    operationId: 'loadSeed',
    method: 'PUT',
    path: '/seed',
    tag,
    summary: 'Replace everything by a seed, which later resets go back to',
    body: seedSchema,
    takesYaml: true,
  },
  ({ sandbox, body }) => sandbox.load(body),
);

export const reset = actionEndpoint(
  {
    operationId: 'reset',
    method: 'POST',
    path: '/reset',
    tag,
    summary:
      'Go back to the start: the seed, no mails, events, log, keys or faults, the first profile, the right time',
  },
  ({ sandbox }) => sandbox.reset(),
);

export const exportAccount = controlEndpoint(
  {
    operationId: 'exportAccount',
    method: 'GET',
    path: '/export',
    tag,
    summary: 'Everything that the account holds, as a seed',
    response: seedSchema,
  },
  ({ sandbox }) => exportSeed(sandbox.account),
);

export const addDesign = actionEndpoint(
  {
    operationId: 'addDesign',
    method: 'POST',
    path: '/designs',
    tag,
    summary: 'Add a design, or change the one with its id',
    body: seedDesignSchema,
  },
  ({ sandbox, body }) => putDesign(sandbox.account, body),
);

export const listContacts = controlEndpoint(
  {
    operationId: 'listContacts',
    method: 'GET',
    path: '/contacts',
    tag,
    summary: 'List contacts, the newest first',
    query: pageQuery.extend({
      search: z.string().optional().describe('Part of any of its texts, such as an address, userId or name.'),
    }),
    response: page(contactRecordSchema),
  },
  ({ sandbox, query }) => {
    const texts = (contact: ContactRecord) => KEPT_FIELDS.map((name): unknown => Reflect.get(contact, name));
    return newest(sandbox.account.contacts.values(), texts, query);
  },
);

export const listEvents = controlEndpoint(
  {
    operationId: 'listEvents',
    method: 'GET',
    path: '/events',
    tag,
    summary: 'List events with what they triggered, the newest first',
    query: pageQuery.extend({
      search: z.string().optional().describe('Part of the name, address or userId.'),
    }),
    response: page(eventRecordSchema),
  },
  ({ sandbox, query }) => {
    const texts = ({ name, email, userId }: EventRecord) => [name, email, userId];
    return newest(sandbox.account.events.values(), texts, query);
  },
);

/** Those of which a text holds a part, the newest first. */
function newest<Item>(
  all: Iterable<Item>,
  texts: (item: Item) => readonly unknown[],
  { search = '', ...range }: z.output<typeof pageQuery> & { readonly search?: string | undefined },
): { total: number; items: Item[] } {
  const holds = (text: unknown) =>
    typeof text === 'string' && text.toLowerCase().includes(search.toLowerCase());
  return pageOf([...all].filter((item) => texts(item).some(holds)).reverse(), range, (item) => item);
}

export const listSchema = controlEndpoint(
  {
    operationId: 'listSchema',
    method: 'GET',
    path: '/schema',
    tag,
    summary: 'Custom properties, subscription groups, designs and automations',
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
);
