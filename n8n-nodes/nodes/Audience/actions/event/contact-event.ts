import type { PropertyValue } from 'audience-core';
import { eventSchemas, sendEventBodySchema, validate } from 'audience-core/internal';
import type { INodeProperties } from 'n8n-workflow';
import { InputProblem } from '../../helpers/errors.js';
import { formFields, readContactFields } from '../contact-fields.js';
import { GROUP_FIELDS, readGroups } from '../groups.js';
import { noteLeftOut } from '../notes.js';
import type { Call, Item, Operation } from '../operation.js';
import { contactFieldsMapper } from '../resource-mapper.js';
import { sendingCall } from '../sending.js';
import type { Sending } from '../../once-only/key-ring.js';

/** Fields of the contact that come with an event; its identifiers have fields of their own. */
export const EVENT_CONTACT_FIELDS = formFields('sendEvent', ['email', 'userId']);

/** Whether a name is one of the event itself, so that a custom property of that name cannot come with it. */
export function isOfEvent(name: string): boolean {
  return Object.hasOwn(eventSchemas, name);
}

/** The fields that say whose event it is. */
export const WHOSE_FIELDS: readonly INodeProperties[] = [
  {
    displayName: 'Email',
    name: 'email',
    type: 'string',
    default: '',
    placeholder: 'e.g. nathan@example.com',
    hint: "'Email', 'User ID', or both are needed",
    description:
      "Email of the contact. Where a contact has this email or User ID, it is updated: with a User ID of somebody who has another email, this becomes that person's email. Where there is none, the contact is created.",
  },
  {
    displayName: 'User ID',
    name: 'userId',
    type: 'string',
    default: '',
    placeholder: 'e.g. user-42',
    description: 'The ID that your own system gave the person',
  },
];

/** The fields for what the event sets on the contact. */
export const CONTACT_VALUE_FIELDS: readonly INodeProperties[] = [
  contactFieldsMapper({
    displayName: 'Contact Fields',
    name: 'contactFields',
    description:
      'Fields to set on the contact. A field that is left empty stays as it is; a switch in the list is always sent, so remove it if it is to stay.',
    valuesLabel: 'Contact Fields',
    method: 'getEventContactFields',
  }),
  {
    displayName: 'Additional Fields',
    name: 'additionalFields',
    type: 'collection',
    placeholder: 'Add Field',
    default: {},
    options: [...GROUP_FIELDS],
  },
];

/** What the output tells of an event. */
export const EVENT_OUTPUT = {
  success: 'boolean',
  eventName: 'string',
  email: 'string',
  userId: 'string',
} as const satisfies Operation['output'];

/**
 * Checks an event for the contact that the form names.
 *
 * @param properties of the event itself.
 * @throws InputProblem, ValidationError for what cannot be sent.
 */
export async function prepareEvent(
  item: Item,
  properties: { readonly eventProperties?: Record<string, PropertyValue> },
): Promise<Call> {
  const { parameters, session } = item;
  const eventName = parameters.requiredIdentifier('eventName', 'thing');
  const email = parameters.identifier('email', 'person');
  const userId = parameters.identifier('userId', 'person');
  if (email === undefined && userId === undefined) {
    throw new InputProblem(
      `The event '${eventName}' has no contact`,
      `Give 'Email', 'User ID', or both, or check that their expressions give a value for this item.${parameters.adviceOnNothing('email', 'userId')}`,
    );
  }
  // The contact is another one without it, or nobody can write to it.
  if (email === undefined) noteLeftOut(item, 'email');
  if (userId === undefined) noteLeftOut(item, 'userId');
  const contact = { ...(email === undefined ? {} : { email }), ...(userId === undefined ? {} : { userId }) };
  // What follows may fail because the service does.
  item.noteContact(contact);
  const { fields } = await readContactFields(item, 'contactFields', EVENT_CONTACT_FIELDS, contact, isOfEvent);
  const groups = await readGroups(item, 'additionalFields');
  const sets = { ...fields, ...groups };
  if (Object.keys(sets).length === 0) item.noteNothingSet();
  const body = validate(
    sendEventBodySchema,
    { ...sets, ...contact, eventName, ...properties },
    `The event '${eventName}' for '${email ?? userId ?? ''}' cannot be sent`,
  );
  const sending: Sending = {
    operation: 'event.send',
    recipient: [email, userId],
    designOrEvent: eventName,
    content: body,
    sets,
  };
  return sendingCall(item, { eventName, ...contact }, sending, (options) =>
    session.api.events.send(body, options),
  );
}
