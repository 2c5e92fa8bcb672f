import { sendTransactionalEmailBodySchema, validate } from 'audience-core/contract';
import type { INodeProperties } from 'n8n-workflow';
import { isVariableValue, unfitVariable } from '../../helpers/values.js';
import { groupChoice, optionsField, showFor } from '../common.descriptions.js';
import type { Call, Item, ItemOperation } from '../operation.js';
import { readGroups, sendingOptions } from '../sending.js';

const show = showFor('email', 'send');

const description: INodeProperties[] = [
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
      { displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. welcome' },
    ],
    displayOptions: show,
  },
  {
    displayName: 'To Email',
    name: 'email',
    type: 'string',
    required: true,
    default: '',
    placeholder: 'e.g. nathan@example.com',
    description: 'Address of the recipient',
    displayOptions: show,
  },
  {
    displayName: 'Variables',
    name: 'dataVariables',
    type: 'resourceMapper',
    noDataExpression: true,
    default: { mappingMode: 'defineBelow', value: null },
    description:
      'Values of the variables of the email, text or numbers. A variable that is left empty is not sent.',
    typeOptions: {
      loadOptionsDependsOn: ['transactionalId.value'],
      resourceMapper: {
        resourceMapperMethod: 'getEmailVariables',
        mode: 'add',
        valuesLabel: 'Variables',
        fieldWords: { singular: 'variable', plural: 'variables' },
        addAllFields: true,
        supportAutoMap: true,
        noFieldsError: 'This email has no variables',
        hideNoDataError: true,
      },
    },
    displayOptions: show,
  },
  {
    displayName: 'Add to Audience',
    name: 'addToAudience',
    type: 'boolean',
    default: false,
    description:
      'Whether the recipient becomes a contact. An existing contact with this email or User ID is taken, and the other of the two is updated on it.',
    displayOptions: show,
  },
  {
    displayName: 'Contact Fields',
    name: 'contactFields',
    type: 'collection',
    placeholder: 'Add Field',
    default: {},
    description: 'What to keep of the recipient',
    displayOptions: { show: { ...show.show, addToAudience: [true] } },
    options: [
      {
        displayName: 'First Name',
        name: 'firstName',
        type: 'string',
        default: '',
      },
      {
        displayName: 'Last Name',
        name: 'lastName',
        type: 'string',
        default: '',
      },
      groupChoice('subscribeTo', 'Subscribe to Groups', 'Subscription groups to add the recipient to'),
      groupChoice(
        'unsubscribeFrom',
        'Unsubscribe From Groups',
        'Subscription groups to take the recipient out of',
      ),
      {
        displayName: 'User ID',
        name: 'userId',
        type: 'string',
        default: '',
        placeholder: 'e.g. user-42',
        description: 'The ID that your own system gave the person; a contact with it is matched too',
      },
    ],
  },
  optionsField('email', 'send', true),
];

function prepare(item: Item): Call {
  const { parameters } = item;
  const transactionalId = parameters.locator('transactionalId', 'Email Design').value;
  const email = parameters.requiredText('email', 'To Email');
  const variables = readVariables(item);
  const addToAudience = parameters.flag('addToAudience');
  const message = {
    transactionalId,
    email,
    ...(Object.keys(variables).length === 0 ? {} : { dataVariables: variables }),
    ...(addToAudience ? { addToAudience, ...readContact(item) } : {}),
  };
  const body = validate(
    sendTransactionalEmailBodySchema,
    message,
    `The email '${transactionalId}' to '${email}' cannot be sent`,
  );
  const options = sendingOptions(item, 'email.send', body);
  return async () => {
    const { deduplicated, idempotencyKey, attempts } = await item.session.api.transactional.send(
      body,
      options,
    );
    return { success: true, email, transactionalId, deduplicated, idempotencyKey, attempts };
  };
}

function readVariables({ parameters }: Item): Record<string, string | number> {
  const { values, automatic } = parameters.mapped('dataVariables');
  const variables: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(values)) {
    if (isVariableValue(value)) variables[name] = value;
    // With automatic mapping the input may hold anything; a list cannot be meant as a variable.
    else if (!automatic) throw unfitVariable(`The variable '${name}'`, value);
  }
  return variables;
}

function readContact(item: Item) {
  const { parameters } = item;
  const userId = parameters.text('contactFields.userId', 'User ID');
  const firstName = parameters.text('contactFields.firstName', 'First Name');
  const lastName = parameters.text('contactFields.lastName', 'Last Name');
  const subscriptionGroups = readGroups(item, 'contactFields');
  return {
    ...(userId === undefined ? {} : { userId }),
    ...(firstName === undefined ? {} : { firstName }),
    ...(lastName === undefined ? {} : { lastName }),
    ...(subscriptionGroups === undefined ? {} : { subscriptionGroups }),
  };
}

/** Sends a transactional email. */
export const send: ItemOperation = { kind: 'item', description, prepare };
