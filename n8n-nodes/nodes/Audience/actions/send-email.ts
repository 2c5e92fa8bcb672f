import { AudienceError, type PropertyValue, type TransactionalEmail } from 'audience-core';
import type { INodeProperties } from 'n8n-workflow';
import { sendTransactionalEmailBodySchema, validate, type JsonValue } from 'audience-core/internal';
import { isExpression } from '../form/expressions.js';
import { readMapping, type MappedField } from '../form/mapping.js';
import { isEmpty, toJson } from '../form/values.js';
import { InputProblem } from '../problem.js';
import type { Item, Call, Operation, Prepared } from '../item/operation.js';
import { choice, field, mapper, SPECIFY } from './fields.js';
import { OF_EMAIL } from './contact-fields.js';
import { GROUP_FIELDS, readGroups } from './groups.js';
import { sendingOutput } from './get-many.js';

const VARIABLE_FIELDS: readonly INodeProperties[] = [
  choice('Specify Variables', 'specifyVariables', 'fields', SPECIFY, {
    description: "How to give the variables. Use JSON if an expression chooses the 'Email Design'.",
    displayOptions: { hide: { transactionalId: [''] } },
  }),
  mapper(
    'Variables',
    'dataVariables',
    {
      resourceMapperMethod: 'getEmailVariables',
      fieldWords: { singular: 'variable', plural: 'variables' },
      addAllFields: true,
      // A variable that is new or gone is seen when the node is opened.
      refreshStaleSchemaOnOpen: true,
      noFieldsError:
        'No variables loaded. If no note below says why, check the credential, then refresh the list.',
    },
    {
      description:
        'Values of the variables. Each variable needs one. A list or an object comes from an expression.',
      typeOptions: { loadOptionsDependsOn: ['transactionalId.value'] },
      displayOptions: { show: { specifyVariables: ['fields'] }, hide: { transactionalId: [''] } },
    },
  ),
  field('json', 'Variables (JSON)', 'dataVariablesJson', {
    description: 'An object of names and values',
    displayOptions: { show: { specifyVariables: ['json'] } },
  }),
];

/** Reads the variables that the design lists, and no others. */
function readVariables(
  item: Item,
  { dataVariables: listed }: TransactionalEmail,
): { dataVariables?: Record<string, JsonValue> } {
  const { parameters, note } = item;
  const isJson = parameters.choice('specifyVariables', ['fields', 'json']) === 'json';
  const { from, fields } = readMapping(parameters, 'dataVariables', isJson);
  const code = from === 'form' ? undefined : 'absent';
  const values = listed.map((name) => {
    const field = fields.find((one) => one.name === name);
    return [name, readVariable(item, name, field, code)] as const;
  });
  // With automatic mapping the input may hold anything.
  const dropped = fields.filter(
    ({ name, isComputed, stored }) =>
      from !== 'columns' && !listed.includes(name) && (isComputed || !isEmpty(stored)),
  );
  if (dropped.length > 0) note({ code: 'variables-dropped', names: dropped.map(({ name }) => name) });
  return listed.length === 0 ? {} : { dataVariables: Object.fromEntries(values) };
}

function readVariable(
  { parameters, note }: Item,
  name: string,
  field: MappedField | undefined,
  code: 'absent' | undefined,
): JsonValue {
  const subject = parameters.subjectOf('variable', name, field?.stored);
  // An empty field of the form is one that nobody filled in; a text that is computed may be empty.
  const isUnfilled = field?.isComputed === false && isEmpty(field.stored);
  const value = isUnfilled ? undefined : field?.read(subject);
  if (value === undefined || value === null)
    throw parameters.missing(subject, field?.stored, code ?? (field ? 'empty' : 'unlisted'));
  if (isEmpty(value)) note({ code: 'empty', subject });
  return toJson(subject, value);
}

/** Reads what is kept of the recipient; fields that were left empty are left out. */
function readKeptFields({ parameters, note }: Item): Record<string, PropertyValue> {
  const values: Record<string, PropertyValue> = {};
  for (const { name, type, isIdentifier } of OF_EMAIL.builtIn) {
    const parameter = `contactFields.${name}`;
    const value = isIdentifier ? parameters.identifier(parameter) : parameters.value(parameter);
    const subject = parameters.subject(parameter);
    if (!isEmpty(value)) values[name] = parameters.typed(subject, type, value);
    else if (value === undefined && isExpression(parameters.stored(parameter)) && isIdentifier !== true)
      note({ code: 'left-out', subject });
  }
  return values;
}

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
      'Fields to set. If the User ID belongs to a contact with another email, the email of that contact is changed: leave it out where a customer may be a guest.',
    displayOptions: { show: { addToAudience: [true] } },
    options: OF_EMAIL.builtIn
      .map(({ label, name }) => field('string', label, name))
      .sort((a, b) => a.displayName.localeCompare(b.displayName)),
  },
  ...GROUP_FIELDS.map((field) => ({ ...field, displayOptions: { show: { addToAudience: [true] } } })),
];

async function prepare(item: Item): Promise<Prepared> {
  const { parameters, session } = item;
  const transactionalId = parameters.locator('transactionalId').value;
  const email = parameters.requiredIdentifier('email');
  const design = await session.designs.find(transactionalId);
  if (design === undefined) {
    const subject = parameters.subject('transactionalId');
    throw new InputProblem({ code: 'unknown-design', subject, given: transactionalId });
  }
  const kept = parameters.flag('addToAudience')
    ? { addToAudience: true, ...readKeptFields(item), ...(await readGroups(item)) }
    : {};
  const body = validate(
    sendTransactionalEmailBodySchema,
    { transactionalId, email, ...readVariables(item, design), ...kept },
    `The email '${design.name}' to '${email}' cannot be sent`,
  );
  const call: Call = async (options) =>
    sendingOutput(
      { email, transactionalId },
      await session.api.transactional.send(body, options).catch((error: unknown) => {
        // A user knows the design by its name.
        const action = `send email '${design.name}' to ${email}`;
        throw error instanceof AudienceError ? Object.assign(error, { action }) : error;
      }),
    );
  return {
    call,
    sending: { recipient: { email: body.email }, designOrEvent: transactionalId, content: body },
    ...(body.addToAudience === true ? { contact: body } : {}),
  };
}

export const send: Operation = {
  value: 'send',
  name: 'Send',
  action: 'Send email',
  description: 'Send a transactional email to one recipient',
  kind: 'sends',
  fields,
  prepare,
};
