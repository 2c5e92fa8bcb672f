import { sendTransactionalEmailBodySchema, validate } from 'audience-core/internal';
import type { INodeProperties } from 'n8n-workflow';
import { InputProblem } from '../../helpers/errors.js';
import type { Sending } from '../../once-only/key-ring.js';
import { fieldProperties, formFields, readFieldProperties } from '../contact-fields.js';
import { GROUP_FIELDS, readGroups } from '../groups.js';
import type { Call, Item, Operation } from '../operation.js';
import { SENDING_OPTIONS, sendingCall } from '../sending.js';
import { readVariables, VARIABLE_FIELDS } from './variables.js';

/** The address has a field of its own. */
const KEPT_FIELDS = formFields('sendTransactionalEmail', ['email']);

const fields: INodeProperties[] = [
  {
    displayName: 'Email Design',
    name: 'transactionalId',
    type: 'resourceLocator',
    default: { mode: 'list', value: '' },
    required: true,
    description: 'The transactional email to send, as designed in the service',
    modes: [
      {
        displayName: 'From List',
        name: 'list',
        type: 'list',
        placeholder: 'Select an email...',
        typeOptions: { searchListMethod: 'searchEmails', searchable: true },
      },
      { displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. design-welcome' },
    ],
  },
  {
    displayName: 'To Email',
    name: 'email',
    type: 'string',
    required: true,
    default: '',
    placeholder: 'e.g. nathan@example.com',
    description: 'Address of the recipient',
  },
  ...VARIABLE_FIELDS,
  {
    displayName: 'Add to Audience',
    name: 'addToAudience',
    type: 'boolean',
    default: false,
    description: 'Whether the recipient becomes a contact, or is updated where a contact has this email',
  },
  {
    displayName: 'Contact Fields',
    name: 'contactFields',
    type: 'collection',
    placeholder: 'Add Field',
    default: {},
    description:
      "What to keep of the recipient. With the User ID of somebody who has another email, this email becomes that person's.",
    displayOptions: { show: { addToAudience: [true] } },
    options: [...fieldProperties(KEPT_FIELDS), ...GROUP_FIELDS].sort((a, b) =>
      a.displayName < b.displayName ? -1 : 1,
    ),
  },
];

async function prepare(item: Item): Promise<Call> {
  const { parameters, session } = item;
  const transactionalId = parameters.locator('transactionalId', 'thing').value;
  const email = parameters.requiredIdentifier('email', 'person');
  const addToAudience = parameters.flag('addToAudience');
  // What follows may fail because the service does.
  if (addToAudience) item.noteContact({ email });
  const design = await session.design(transactionalId);
  if (design === undefined) {
    throw new InputProblem(
      `There is no email design '${transactionalId}' in the service`,
      "Choose 'Email Design' from the list, or take an ID that Email > Get Many lists.",
    );
  }
  const kept = addToAudience
    ? {
        ...readFieldProperties(item, 'contactFields', KEPT_FIELDS),
        ...(await readGroups(item, 'contactFields')),
      }
    : {};
  if (Object.keys(kept).length === 0) item.noteNothingSet();
  const body = validate(
    sendTransactionalEmailBodySchema,
    {
      transactionalId,
      email,
      ...readVariables(item, design, email),
      ...(addToAudience ? { addToAudience, ...kept } : {}),
    },
    `The email '${design.name}' to '${email}' cannot be sent`,
  );
  if (addToAudience) item.noteContact(body);
  if (!/@.+\../.test(email)) item.note('the email address has no ending, such as .com');
  const sending: Sending = {
    operation: 'email.send',
    recipient: [body.email],
    designOrEvent: transactionalId,
    content: body,
    sets: kept,
  };
  return sendingCall(item, { email, transactionalId }, sending, (options) =>
    session.api.transactional.send(body, options),
  );
}

/** Sends a transactional email. */
export const send: Operation = {
  value: 'send',
  name: 'Send',
  action: 'Send email',
  description: 'Send a transactional email to one recipient, once however often it is retried',
  fields,
  options: SENDING_OPTIONS,
  output: { success: 'boolean', email: 'string', transactionalId: 'string' },
  prepare,
};
