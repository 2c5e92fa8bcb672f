import { PROPERTY_TYPES, propertyNameSchema, validate } from 'audience-core/internal';
import * as z from 'zod/mini';
import { choice, field } from './fields.js';
import { InputProblem } from '../problem.js';
import type { Call, Item, Operation, Prepared } from '../item/operation.js';

const bodySchema = z.object({ name: propertyNameSchema });

function prepare({ parameters, session }: Item): Prepared {
  const given = parameters.requiredIdentifier('name');
  const type = parameters.choice('type', PROPERTY_TYPES);
  const { name } = validate(bodySchema, { name: given }, `The contact property '${given}' cannot be created`);
  const acceptsExisting = parameters.choice('ifExists', ['error', 'continue']) === 'continue';
  const call: Call = async (options) => {
    const output = (created: boolean) => [{ success: true, name, type, created }];
    const existing = (await session.customProperties()).get(name)?.type;
    if (existing !== undefined) {
      const problem = { subject: parameters.subject('name'), given: name };
      if (existing !== type)
        throw new InputProblem({ code: 'property-of-other-type', ...problem, names: [existing, type] });
      if (!acceptsExisting) throw new InputProblem({ code: 'property-exists', ...problem });
      return output(false);
    }
    await session.api.properties.create({ name, type }, options);
    return output(true);
  };
  return { call };
}

export const create: Operation = {
  value: 'create',
  name: 'Create',
  action: 'Create contact property',
  description: 'Add a property of your own that contacts can have',
  kind: 'writes',
  fields: [
    field('string', 'Name', 'name', {
      required: true,
      placeholder: 'e.g. teamSize',
      description: 'Name in camelCase: a small letter first, then letters and digits',
    }),
    choice(
      'Type',
      'type',
      'string',
      { boolean: 'Boolean', date: 'Date', number: 'Number', string: 'Text' },
      { description: 'Type of its values. We assume that the service cannot change it later.' },
    ),
    choice(
      'If It Exists',
      'ifExists',
      'error',
      { continue: 'Continue', error: 'Stop With an Error' },
      { description: 'What to do if there is a property of this name and type already' },
    ),
  ],
  prepare,
};
