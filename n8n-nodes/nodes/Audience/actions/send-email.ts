import type { TransactionalEmail } from 'audience-core';
import type { INodeProperties } from 'n8n-workflow';
import { sendTransactionalEmailBodySchema, validate } from 'audience-core/internal';
import { readMapping } from '../form/mapping.js';
import { isEmpty, readVariable } from '../form/values.js';
import type { JsonValue } from '../form/values.js';
import type { Subject } from '../problem.js';
import type { Item, Call, Operation, Prepared } from '../item/operation.js';
import { choice, field } from './fields.js';
import { variablesMapper, fieldProperties, formFields, readFieldProperties } from './contact-fields.js';
import { InputProblem } from '../problem.js';
import { GROUP_FIELDS, readGroups } from './groups.js';
import { sendingOutput } from './get-many.js';

/** The fields for the variables of an email. */
export const VARIABLE_FIELDS: readonly INodeProperties[] = [
  choice(
    'Specify Variables',
    'specifyVariables',
    'fields',
    { fields: 'Using Fields Below', json: 'Using JSON' },
    {
      description: "How to give the variables. Use JSON if an expression chooses the 'Email Design'.",
      displayOptions: { hide: { transactionalId: [''] } },
    },
  ),
  {
    ...variablesMapper({
      displayName: 'Variables',
      name: 'dataVariables',
      description:
        'Values of the variables. Each variable needs one. A list or an object comes from an expression.',
      valuesLabel: 'Variables',
      method: 'getEmailVariables',
      loadOptionsDependsOn: ['transactionalId.value'],
    }),
    displayOptions: { show: { specifyVariables: ['fields'] }, hide: { transactionalId: [''] } },
  },
  field('json', 'Variables (JSON)', 'dataVariablesJson', {
    description: 'An object of names and values',
    displayOptions: { show: { specifyVariables: ['json'] } },
  }),
];

/** The variables that are given, each with how to read it. */
interface Given {
  readonly reads: ReadonlyMap<string, () => JsonValue>;
  /** Names to tell a person of, if the design does not have them. */
  readonly told: readonly string[];
  /** What to say of a variable that is not there. */
  readonly code: 'empty' | 'absent' | 'absent-in-json';
}

/**
 * Reads the variables that the design lists, and no others.
 *
 * @throws InputProblem for a variable without a value, and for a value that is no JSON.
 */
export function readVariables(
  item: Item,
  { dataVariables: listed }: TransactionalEmail,
): { dataVariables?: Record<string, JsonValue> } {
  const usesJson = item.parameters.choice('specifyVariables', ['fields', 'json']) === 'json';
  const given = usesJson ? inJson(item) : inFields(item);
  const dropped = given.told.filter((name) => !listed.includes(name));
  const values = listed.map((name) => {
    const read =
      given.reads.get(name) ?? (() => readOne(item, given.code, { kind: 'variable', name }, undefined));
    return [name, read()] as const;
  });
  if (dropped.length > 0) item.note({ code: 'variables-dropped', names: dropped });
  return listed.length === 0 ? {} : { dataVariables: Object.fromEntries(values) };
}

function inJson(item: Item): Given {
  const code = 'absent-in-json';
  const values = Object.entries(item.parameters.object('dataVariablesJson'));
  const reads = values.map(
    ([name, value]) => [name, () => readOne(item, code, { kind: 'variable', name }, value)] as const,
  );
  return { reads: new Map(reads), told: values.map(([name]) => name), code };
}

function inFields(item: Item): Given {
  const { parameters } = item;
  const { fields, isAutomatic } = readMapping(parameters, 'dataVariables');
  const code = isAutomatic ? 'absent' : 'empty';
  const reads = fields.map(({ name, stored, isComputed, read }) => {
    const subject = parameters.subjectOf('variable', name, stored);
    return [
      name,
      () => {
        // An empty field of the form is one that nobody filled in; a text that is computed may be empty.
        if (!isComputed && isEmpty(stored)) throw parameters.missing(subject, stored);
        return readOne(item, code, subject, read(subject), stored);
      },
    ] as const;
  });
  // With automatic mapping the input may hold anything.
  const told = isAutomatic ? [] : fields.filter(({ isComputed, stored }) => isComputed || !isEmpty(stored));
  return { reads: new Map(reads), told: told.map(({ name }) => name), code };
}

function readOne(
  { parameters, note }: Item,
  code: Given['code'],
  subject: Subject,
  value: unknown,
  stored?: unknown,
): JsonValue {
  if (value === undefined || value === null) throw parameters.missing(subject, stored, 'text', code);
  if (isEmpty(value)) note({ code: 'empty', subject });
  return readVariable(subject, value);
}

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
