import type { Contact, ContactProperty, SubscriptionGroup, TransactionalEmail } from 'audience-core';
import type { AudienceApi } from 'audience-core/internal';
import { PROPERTY_TYPES } from 'audience-core/internal';
import * as z from 'zod/mini';
import { ResourceError } from '../resources/errors.js';
import { fieldShape } from '../resources/people/fields.js';
import type { Raw } from '../resources/raw.js';
import { dataFunction } from './data-function.js';

/** Which contact properties are listed. */
export const PROPERTY_LISTS = ['all', 'custom'] as const;

const noArgs = z.strictObject({});
const nameArgs = z.strictObject({ name: z.string() });

/** A contact property, as functions give it. */
export const propertySchema = z.object({
  key: z.string(),
  label: z.optional(z.string()),
  type: z.enum(PROPERTY_TYPES),
});
/** A subscription group, as functions give it. */
export const groupSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.optional(z.string()),
});
/** A transactional email design, as functions give it. */
export const designSchema = z.object({
  id: z.string(),
  name: z.string(),
  lastUpdated: z.string(),
  dataVariables: z.array(z.string()),
});

/** Which contact to read: by email or by userId. */
export type ContactLookup =
  | { readonly email: string; readonly userId?: undefined }
  | { readonly userId: string; readonly email?: undefined };

const lookupSchema = z.pipe(
  z
    .strictObject({ email: z.optional(z.string()), userId: z.optional(z.string()) })
    .check(
      z.refine(
        ({ email, userId }) => (email === undefined) !== (userId === undefined),
        "give an 'email' or a 'userId', and not both",
      ),
    ),
  z.custom<ContactLookup, { email?: string | undefined; userId?: string | undefined }>(),
);

/** Custom properties are fields of a contact beside the others; here they have a place of their own. */
function withProperties({ id, createdAt: _, ...fields }: Contact): Raw {
  const known = Object.entries(fields).filter(([name]) => Object.hasOwn(fieldShape, name));
  const custom = Object.entries(fields).filter(([name]) => !Object.hasOwn(fieldShape, name));
  return { id, ...given(known), properties: given(custom) };
}

function given(entries: readonly (readonly [string, unknown])[]): Raw {
  return Object.fromEntries(entries.filter(([, value]) => value !== null && value !== undefined));
}

async function allDesigns(client: AudienceApi): Promise<TransactionalEmail[]> {
  const designs: TransactionalEmail[] = [];
  for await (const design of client.transactional.iterate()) designs.push(design);
  return designs;
}

/** Every function, by the name that people call it by. */
export const functions = {
  /** Interface: GET /v1/contacts/{identifier}. */
  getContact: dataFunction({
    args: lookupSchema,
    result: z.object({ id: z.string(), ...fieldShape }),
    read: ({ email, userId }, client): Promise<Contact> => client.contacts.get(email ?? userId),
    asObject: withProperties,
  }),
  /** Interface: GET /v1/contacts/properties. */
  getContactProperties: dataFunction({
    args: z.strictObject({ list: z.optional(z.enum(PROPERTY_LISTS)) }),
    result: z.object({ contactProperties: z.array(propertySchema) }),
    read: (args, client): Promise<ContactProperty[]> => client.properties.list(args),
    asObject: (contactProperties) => ({ contactProperties }),
  }),
  getContactProperty: dataFunction({
    args: nameArgs,
    result: propertySchema,
    read: async ({ name }, client) => {
      const named = (await client.properties.list()).map((property) => ({
        id: property.key,
        name: property.key,
        property,
      }));
      return byName('contact property', name, named).property;
    },
  }),
  /** Interface: GET /v1/subscription-groups. */
  getSubscriptionGroups: dataFunction({
    args: noArgs,
    result: z.object({ subscriptionGroups: z.array(groupSchema) }),
    read: (_args, client): Promise<SubscriptionGroup[]> => client.subscriptionGroups.list(),
    asObject: (subscriptionGroups) => ({ subscriptionGroups }),
  }),
  getSubscriptionGroup: dataFunction({
    args: nameArgs,
    result: groupSchema,
    read: async ({ name }, client) =>
      byName('subscription group', name, await client.subscriptionGroups.list()),
  }),
  /** Interface: GET /v1/transactional. */
  getTransactionalEmails: dataFunction({
    args: noArgs,
    result: z.object({ transactionalEmails: z.array(designSchema) }),
    read: (_args, client) => allDesigns(client),
    asObject: (transactionalEmails) => ({ transactionalEmails }),
  }),
  getTransactionalEmail: dataFunction({
    args: nameArgs,
    result: designSchema,
    read: async ({ name }, client) => byName('transactional email', name, await allDesigns(client)),
  }),
};

/**
 * The one thing of that name.
 *
 * @throws ResourceError that lists what there is when the name is missing or double.
 */
function byName<Thing extends { readonly id: string; readonly name: string }>(
  kind: string,
  name: string,
  things: readonly Thing[],
): Thing {
  const [found, ...others] = things.filter((thing) => thing.name === name);
  if (found !== undefined && others.length === 0) return found;
  if (found !== undefined) {
    const ids = [found, ...others].map(({ id }) => `'${id}'`).join(', ');
    throw new ResourceError(
      `There are ${others.length + 1} ${kind}s of the name '${name}', with the ids ${ids}. Give them different names, or use an id.`,
    );
  }
  const list = things.map((thing) => `'${thing.name}'`).join(', ');
  throw new ResourceError(
    `There is no ${kind} of the name '${name}'. There ${things.length === 0 ? 'are none' : `are: ${list}`}.`,
  );
}
