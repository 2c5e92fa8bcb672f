import type { Contact, TransactionalEmail } from 'audience-core';
import { contract, readWith, wordIssue, type AudienceApi } from 'audience-core/internal';
import * as z from 'zod/mini';
import { problem } from '../messages/index.js';
import { ResourceError } from '../resources/errors.js';
import { fieldShape } from '../resources/contact-record/fields.js';
import type { Raw } from '../resources/raw.js';

export interface DataFunction<Args = unknown, Result = unknown> {
  readonly args: z.ZodMiniType<Args>;
  readonly result: z.ZodMiniType;
  read(args: Args, client: AudienceApi): Promise<Result>;
  /** Converts a result that is not an object. */
  asObject?(result: Result): Raw;
}

/** Limits of a call: `pulumi preview` waits for it, and a 429 may ask for a wait. */
const LIMITS = { timeoutMs: 10_000, deadlineMs: 15_000 } as const;

const ONE_IDENTIFIER = "give an 'email' or a 'userId', and not both";
const lookupSchema = z
  .strictObject({ email: z.optional(z.string()), userId: z.optional(z.string()) })
  .check(z.refine(({ email, userId }) => (email === undefined) !== (userId === undefined), ONE_IDENTIFIER));

const propertiesSchema = contract.listContactProperties.response;
const groupsSchema = contract.listSubscriptionGroups.response;
const designsSchema = contract.listTransactionalEmails.response.shape.data;
const allGroups = (client: AudienceApi) => client.subscriptionGroups.list(LIMITS);

const getContact: DataFunction<z.infer<typeof lookupSchema>, Contact> = {
  args: lookupSchema,
  result: z.object({ id: z.string(), ...fieldShape }),
  read: ({ email, userId }, client) => client.contacts.get(email ?? userId ?? '', LIMITS),
  asObject: withProperties,
};

export const functions = {
  getContact,
  getContactProperties: list(
    'contactProperties',
    propertiesSchema,
    z.strictObject({ list: z.optional(z.enum(['all', 'custom'])) }),
    (client, query) => client.properties.list(query, LIMITS),
  ),
  getContactProperty: byName(
    'contact property',
    propertiesSchema.def.element,
    (client) => client.properties.list({}, LIMITS),
    ({ key }) => ({ id: key, name: key }),
  ),
  getSubscriptionGroups: list('subscriptionGroups', groupsSchema, z.strictObject({}), allGroups),
  getSubscriptionGroup: byName('subscription group', groupsSchema.def.element, allGroups, (group) => group),
  getTransactionalEmails: list('transactionalEmails', designsSchema, z.strictObject({}), allDesigns),
  getTransactionalEmail: byName('transactional email', designsSchema.def.element, allDesigns, (one) => one),
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

async function allDesigns(client: AudienceApi): Promise<TransactionalEmail[]> {
  const designs: TransactionalEmail[] = [];
  for await (const design of client.transactional.iterate(LIMITS)) designs.push(design);
  return designs;
}

/** Moves the custom properties into an object of their own. */
function withProperties({ id, createdAt: _, ...fields }: Contact): Raw {
  const set = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  const { known = [], custom = [] } = Object.groupBy(set, ([name]) =>
    Object.hasOwn(fieldShape, name) ? 'known' : 'custom',
  );
  return { id, ...Object.fromEntries(known), properties: Object.fromEntries(custom) };
}

/** A function that gives all things of a kind, under `name` where the result must be an object. */
function list<Args, Thing>(
  name: string,
  result: z.ZodMiniType,
  args: z.ZodMiniType<Args>,
  all: (client: AudienceApi, args: Args) => Promise<Thing[]>,
): DataFunction<Args, Thing[]> {
  return {
    args,
    result: z.object({ [name]: result }),
    read: (given, client) => all(client, given),
    asObject: (things) => ({ [name]: things }),
  };
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
