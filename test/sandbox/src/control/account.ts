import * as z from 'zod';
import { contactRecordSchema, KEPT_FIELDS } from '../account/contact-record.js';
import { eventRecordSchema, groupRecordSchema, propertyRecordSchema } from '../account/records.js';
import { putDesign } from '../seed/apply-seed.js';
import { exportSeed } from '../seed/export-seed.js';
import { seedDesignSchema, seedSchema } from '../seed/schema.js';
import { controlEndpoint } from './endpoint.js';
import { doneSchema, page, pageOf, pageQuery } from './page.js';

const tag = 'account';

export const loadSeed = controlEndpoint(
  {
    operationId: 'loadSeed',
    method: 'PUT',
    path: '/seed',
    tag,
    summary: 'Replace everything by a seed, which later resets go back to',
    body: seedSchema,
    takesYaml: true,
    response: doneSchema,
  },
  ({ sandbox, body }) => {
    sandbox.load(body());
    return { success: true as const };
  },
);

export const reset = controlEndpoint(
  {
    operationId: 'reset',
    method: 'POST',
    path: '/reset',
    tag,
    summary:
      'Go back to the start: the seed, no mails, events, log, keys or faults, the first profile, the right time',
    response: doneSchema,
  },
  ({ sandbox }) => {
    sandbox.reset();
    return { success: true as const };
  },
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

export const addDesign = controlEndpoint(
  {
    operationId: 'addDesign',
    method: 'POST',
    path: '/designs',
    tag,
    summary: 'Add a design, or change the one with its id',
    body: seedDesignSchema,
    response: doneSchema,
  },
  ({ sandbox, body }) => {
    putDesign(sandbox.account, body());
    return { success: true as const };
  },
);

export const listContacts = controlEndpoint(
  {
    operationId: 'listContacts',
    method: 'GET',
    path: '/contacts',
    tag,
    summary: 'List contacts, the newest first',
    query: pageQuery.extend({
      search: z.string().optional().describe('Part of an address, userId or name.'),
    }),
    response: page(contactRecordSchema),
  },
  ({ sandbox, query }) => {
    const { search, ...range } = query();
    const part = (search ?? '').toLowerCase();
    const found = [...sandbox.account.contacts.values()]
      .filter((contact) =>
        KEPT_FIELDS.some((name) => {
          const value: unknown = Reflect.get(contact, name);
          return typeof value === 'string' && value.toLowerCase().includes(part);
        }),
      )
      .reverse();
    return pageOf(found, range, (contact) => contact);
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
    const { search, ...range } = query();
    const part = (search ?? '').toLowerCase();
    const found = [...sandbox.account.events.values()]
      .filter(({ name, email, userId }) =>
        [name, email, userId].some((text) => (text ?? '').toLowerCase().includes(part)),
      )
      .reverse();
    return pageOf(found, range, (event) => event);
  },
);

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
