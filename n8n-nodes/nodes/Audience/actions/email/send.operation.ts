import { sendTransactionalEmailBodySchema, validate } from 'audience-core/internal';
import type { INodeProperties } from 'n8n-workflow';
import { InputProblem } from '../../problem.js';
import type { Call, Item, Operation, Prepared } from '../../run/operation.js';
import { fieldProperties, formFields, readFieldProperties } from '../contact-fields.js';
import { field } from '../fields.js';
import { GROUP_FIELDS, readGroups } from '../groups.js';
import { sendingOutput } from '../output.js';
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
  field('string', 'To Email', 'email', {
    required: true,
    placeholder: 'e.g. nathan@example.com',
    description: 'Address of the recipient: one for each item',
  }),
  ...VARIABLE_FIELDS,
  field('boolean', 'Add to Audience', 'addToAudience', {
    description: 'Whether to create a contact for the recipient, or update the one with this email',
  }),
  {
    displayName: 'Contact Fields',
    name: 'contactFields',
    type: 'collection',
    placeholder: 'Add Field',
    default: {},
    description:
      'Fields to set. If the User ID belongs to a contact with another email, the email of that contact is changed.',
    displayOptions: { show: { addToAudience: [true] } },
    options: fieldProperties(KEPT_FIELDS).sort((a, b) => (a.displayName < b.displayName ? -1 : 1)),
  },
  ...GROUP_FIELDS.map((field) => ({ ...field, displayOptions: { show: { addToAudience: [true] } } })),
];

async function prepare(item: Item): Promise<Prepared> {
  const { parameters, session } = item;
  const transactionalId = parameters.locator('transactionalId').value;
  const email = parameters.requiredIdentifier('email');
  const design = await session.design(transactionalId);
  if (design === undefined) {
    const subject = parameters.subject('transactionalId');
    throw new InputProblem({ code: 'unknown-design', subject, given: transactionalId });
  }
  const kept = parameters.flag('addToAudience')
    ? {
        addToAudience: true,
        ...readFieldProperties(item, 'contactFields', KEPT_FIELDS),
        ...(await readGroups(item)),
      }
    : {};
  const body = validate(
    sendTransactionalEmailBodySchema,
    { transactionalId, email, ...readVariables(item, design), ...kept },
    `The email '${design.name}' to '${email}' cannot be sent`,
  );
  const call: Call = async ({ options }) =>
    sendingOutput({ email, transactionalId }, await session.api.transactional.send(body, options));
  return {
    call,
    sending: { recipient: [body.email], designOrEvent: transactionalId, content: body },
    ...(body.addToAudience === true ? { contact: body } : {}),
  };
}

/** Sends a transactional email. */
export const send: Operation = {
  value: 'send',
  name: 'Send',
  action: 'Send email',
  description: 'Send a transactional email to one recipient',
  kind: 'sends',
  fields,
  output: { success: 'boolean', email: 'string', transactionalId: 'string' },
  prepare,
};
