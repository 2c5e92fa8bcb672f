import { sendEventBodySchema, validate, type JsonValue } from 'audience-core/internal';
import type { INodeProperties } from 'n8n-workflow';
import { InputProblem } from '../problem.js';
import type { Call, Item, Operation, Prepared } from '../item/operation.js';
import { contactFieldsMapper, OF_EVENT, readContactFields } from './contact-fields.js';
import { choice, field, SPECIFY } from './fields.js';
import { GROUP_FIELDS, readGroups } from './groups.js';
import { sendingOutput } from './get-many.js';
import { EVENT_PROPERTY_FIELDS, readEventProperties } from './event-properties.js';

const WHOSE_FIELDS: readonly INodeProperties[] = [
  field('string', 'Email', 'email', {
    placeholder: 'e.g. nathan@example.com',
    hint: "Fill in 'Email', 'User ID', or both",
    description:
      'Email of the contact. With a User ID of a contact with another email, it becomes the new email.',
  }),
  field('string', 'User ID', 'userId', {
    placeholder: 'e.g. user-42',
    description: 'The ID of the contact in your own system. Leave it empty where a customer may be a guest.',
  }),
];

function contactFields(displayOptions: INodeProperties['displayOptions'] = {}): INodeProperties {
  return contactFieldsMapper('Contact Fields', 'contactFields', 'getEventContactFields', {
    description: 'Fields to set. An empty field stays as it is; a switch in the list is always sent.',
    displayOptions,
  });
}

async function prepareEvent(
  item: Item,
  properties: { readonly eventProperties?: Record<string, JsonValue> },
  isJson = false,
): Promise<Prepared> {
  const { parameters, session } = item;
  const eventName = parameters.requiredIdentifier('eventName');
  const email = parameters.identifier('email');
  const userId = parameters.identifier('userId');
  if (email === undefined && userId === undefined)
    throw new InputProblem({ code: 'no-contact', subject: parameters.subject('email') });
  const contact = { ...(email === undefined ? {} : { email }), ...(userId === undefined ? {} : { userId }) };
  const fields = await readContactFields(item, 'contactFields', { of: OF_EVENT, isJson });
  const body = validate(
    sendEventBodySchema,
    { ...fields, ...(await readGroups(item)), ...contact, eventName, ...properties },
    `The event '${eventName}' for '${email ?? userId ?? ''}' cannot be sent`,
  );
  const call: Call = async (options) =>
    sendingOutput({ eventName, ...contact }, await session.api.events.send(body, options));
  return { call, contact, sending: { recipient: contact, designOrEvent: eventName, content: body } };
}

export const send: Operation = {
  value: 'send',
  name: 'Send',
  action: 'Send event',
  description: 'Send an event that triggers automations, and create the contact if there is none',
  kind: 'sends',
  fields: [
    field('string', 'Event Name', 'eventName', {
      required: true,
      placeholder: 'e.g. orderPlaced',
      hint: 'Write it exactly as the automation has it. A name that no automation uses triggers nothing.',
      description: 'Name of the event that an automation in the service waits for',
    }),
    ...WHOSE_FIELDS,
    ...EVENT_PROPERTY_FIELDS,
    contactFields(),
    ...GROUP_FIELDS,
  ],
  prepare: (item) => prepareEvent(item, readEventProperties(item)),
};

export const upsert: Operation = {
  value: 'upsert',
  name: 'Create or Update',
  action: 'Create or update contact',
  description: 'Create a new contact, or update the current one if it already exists (upsert)',
  kind: 'sends',
  fields: [
    ...WHOSE_FIELDS,
    field('string', 'Event Name', 'eventName', {
      required: true,
      placeholder: 'e.g. contactImported',
      hint: 'Choose a name that no automation uses: automations that wait for it start, and may email the contact',
      description: 'Name of the event that creates the contact',
    }),
    choice('Specify Contact Fields', 'specifyContactFields', 'fields', SPECIFY, {
      description: 'How to give the fields of the contact',
    }),
    contactFields({ show: { specifyContactFields: ['fields'] } }),
    field('json', 'Contact Fields (JSON)', 'contactFieldsJson', {
      description: 'An object of names and values. An empty value stays as it is.',
      displayOptions: { show: { specifyContactFields: ['json'] } },
    }),
    ...GROUP_FIELDS,
  ],
  prepare: (item) =>
    prepareEvent(item, {}, item.parameters.choice('specifyContactFields', ['fields', 'json']) === 'json'),
};
