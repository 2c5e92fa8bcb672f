import type { Contact, TransactionalEmail } from 'audience-core';
import { PROPERTY_TYPES, readWith, wordIssue, type AudienceApi } from 'audience-core/internal';
import * as z from 'zod/mini';
import { problem } from '../messages/index.js';
import { ResourceError } from '../resources/errors.js';
import { fieldShape } from '../resources/contact-record/fields.js';
import { LOOK_UP } from '../resources/known-service.js';
import type { Raw } from '../resources/raw.js';

export interface DataFunction<Args = unknown, Result = unknown> {
  readonly args: z.ZodMiniType<Args>;
  readonly result: z.ZodMiniType;
  read(args: Args, client: AudienceApi): Promise<Result>;
  /** Converts a result that is not an object. */
  asObject?(result: Result): Raw;
}

export const PROPERTY_LISTS = ['all', 'custom'] as const;

export const propertySchema = z.object({
  key: z.string(),
  label: z.optional(z.string()),
  type: z.enum(PROPERTY_TYPES),
});
export const groupSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.optional(z.string()),
});
export const designSchema = z.object({
  id: z.string(),
  name: z.string(),
  lastUpdated: z.string(),
  dataVariables: z.array(z.string()),
});

const ONE_IDENTIFIER = "give an 'email' or a 'userId', and not both";
const lookupSchema = z
  .strictObject({ email: z.optional(z.string()), userId: z.optional(z.string()) })
  .check(z.refine(({ email, userId }) => (email === undefined) !== (userId === undefined), ONE_IDENTIFIER));

export const functions = {
  getContact: typed({
    args: lookupSchema,
    result: z.object({ id: z.string(), ...fieldShape }),
    read: ({ email, userId }, client) => client.contacts.get(email ?? userId ?? '', LOOK_UP),
    asObject: withProperties,
  }),
  getContactProperties: typed({
    args: z.strictObject({ list: z.optional(z.enum(PROPERTY_LISTS)) }),
    result: z.object({ contactProperties: z.array(propertySchema) }),
    read: (args, client) => client.properties.list(args, LOOK_UP),
    asObject: (contactProperties) => ({ contactProperties }),
  }),
  getContactProperty: byName(
    'contact property',
    propertySchema,
    (client) => client.properties.list({}, LOOK_UP),
    ({ key }) => ({ id: key, name: key }),
  ),
  getSubscriptionGroups: typed({
    args: z.strictObject({}),
    result: z.object({ subscriptionGroups: z.array(groupSchema) }),
    read: (_args, client) => client.subscriptionGroups.list(LOOK_UP),
    asObject: (subscriptionGroups) => ({ subscriptionGroups }),
  }),
  getSubscriptionGroup: byName(
    'subscription group',
    groupSchema,
    (client) => client.subscriptionGroups.list(LOOK_UP),
    (group) => group,
  ),
  getTransactionalEmails: typed({
    args: z.strictObject({}),
    result: z.object({ transactionalEmails: z.array(designSchema) }),
    read: (_args, client) => allDesigns(client),
    asObject: (transactionalEmails) => ({ transactionalEmails }),
  }),
  getTransactionalEmail: byName('transactional email', designSchema, allDesigns, (design) => design),
};

/** Calls a function. @throws ResourceError for arguments that it does not take. */
export async function invoke<Args, Result>(
  one: DataFunction<Args, Result>,
  given: unknown,
  client: AudienceApi,
): Promise<Result> {
  const checked = readWith(one.args, given);
  if (!checked.ok) throw new ResourceError(checked.issues.map((issue) => wordIssue(issue)).join('; '));
  return one.read(checked.data, client);
}

function typed<Args, Result>(one: DataFunction<Args, Result>): DataFunction<Args, Result> {
  return one;
}

/** Moves the custom properties into an object of their own. */
function withProperties({ id, createdAt: _, ...fields }: Contact): Raw {
  const set = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  const { known = [], custom = [] } = Object.groupBy(set, ([name]) =>
    Object.hasOwn(fieldShape, name) ? 'known' : 'custom',
  );
  return { id, ...Object.fromEntries(known), properties: Object.fromEntries(custom) };
}

async function allDesigns(client: AudienceApi): Promise<TransactionalEmail[]> {
  const designs: TransactionalEmail[] = [];
  for await (const design of client.transactional.iterate(LOOK_UP)) designs.push(design);
  return designs;
}

/** A function that finds by name; its error lists the names or ids when none or several match. */
function byName<Thing>(
  kind: string,
  result: z.ZodMiniType,
  all: (client: AudienceApi) => Promise<Thing[]>,
  nameOf: (thing: Thing) => { readonly id: string; readonly name: string },
): DataFunction<{ name: string }, Thing> {
  return {
    args: z.strictObject({ name: z.string() }),
    result,
    async read({ name }, client) {
      const things = await all(client);
      const found = things.filter((thing) => nameOf(thing).name === name);
      const [first, second] = found;
      if (first === undefined) {
        const names = things.map((thing) => nameOf(thing).name);
        throw new ResourceError(problem('function.none', { kind, name, names }));
      }
      if (second === undefined) return first;
      const ids = found.map((thing) => nameOf(thing).id);
      throw new ResourceError(problem('function.several', { kind, name, ids }));
    },
  };
}
