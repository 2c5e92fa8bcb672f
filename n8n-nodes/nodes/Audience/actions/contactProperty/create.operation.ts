import { AudienceError } from 'audience-core';
import type { ContactProperty, PropertyType } from 'audience-core';
import { PROPERTY_TYPES, propertyNameSchema, validate } from 'audience-core/internal';
import * as z from 'zod/mini';
import { InputProblem } from '../../helpers/errors.js';
import type { Call, Item, Operation } from '../operation.js';

const bodySchema = z.object({ name: propertyNameSchema });

function prepare(item: Item): Call {
  const { parameters, session, signal } = item;
  const { itemIndex } = parameters;
  const { tries } = item.keys;
  const given = parameters.requiredIdentifier('name', 'thing');
  const type = parameters.choice('type', PROPERTY_TYPES);
  const { name } = validate(bodySchema, { name: given }, `The contact property '${given}' cannot be created`);
  const skipsExisting = parameters.flag('options.skipExisting');
  return async () => {
    const output = (created: boolean) => [{ success: true, name, type, created }];
    const existing = (await session.customProperties()).get(name);
    if (existing !== undefined) {
      const mayBeOfEarlierTry = tries?.unclearOf(itemIndex) !== undefined;
      acceptExisting(existing, type, skipsExisting || mayBeOfEarlierTry);
      return output(false);
    }
    // Another item of this run may be about to create it.
    const byOther = session.created.get(name);
    if (byOther !== undefined) {
      acceptExisting(
        { key: name, type: await byOther },
        type,
        skipsExisting,
        ' by now, as another item of this run creates it',
      );
      return output(false);
    }
    const creating = session.api.properties.create({ name, type }, { signal }).then(
      () => type,
      (error: unknown) => {
        if (error instanceof AudienceError && error.unclear) tries?.noteUnclear(itemIndex, { error });
        throw error;
      },
    );
    session.created.set(name, creating);
    await creating;
    return output(true);
  };
}

function acceptExisting(
  { key, type }: ContactProperty,
  wanted: PropertyType,
  skipsExisting: boolean,
  why = '',
): void {
  if (type !== wanted) {
    throw new InputProblem(
      `The contact property '${key}' exists already, with the type ${type} and not ${wanted}`,
      'The service cannot change a type: choose another name, or use the property as it is.',
    );
  }
  if (skipsExisting) return;
  throw new InputProblem(
    `The contact property '${key}' exists already${why}`,
    "Turn on 'Continue if It Exists' in 'Options' to go on with it, or choose another name.",
  );
}

/** Creates a custom contact property. */
export const create: Operation = {
  value: 'create',
  name: 'Create',
  action: 'Create contact property',
  description: 'Add a property of your own that contacts can have',
  fields: [
    {
      displayName: 'Name',
      name: 'name',
      type: 'string',
      required: true,
      default: '',
      placeholder: 'e.g. teamSize',
      description: 'Name in camelCase: it begins with a small letter and holds letters and digits only',
    },
    {
      displayName: 'Type',
      name: 'type',
      type: 'options',
      options: [
        { name: 'Boolean', value: 'boolean' },
        { name: 'Date', value: 'date' },
        { name: 'Number', value: 'number' },
        { name: 'Text', value: 'string' },
      ],
      default: 'string',
      description: 'Type of its values; the service cannot change it later',
    },
  ],
  options: [
    {
      displayName: 'Continue if It Exists',
      name: 'skipExisting',
      type: 'boolean',
      default: false,
      description: 'Whether a property of this name and type that exists already counts as created',
    },
  ],
  output: { success: 'boolean', name: 'string', type: 'string', created: 'boolean' },
  prepare,
};
