import { PROPERTY_TYPES, ConflictError, propertyNameProblem, propertyTypeSchema } from 'audience-core';
import type { AudienceApi, ContactProperty, PropertyType } from 'audience-core';
import * as z from 'zod';
import { ResourceError, UNKNOWN } from './host.js';
import type { Host, Problem, Raw } from './host.js';
import type { PropertyList } from './property-list.js';

/** What a contact property's methods work with. */
export interface PropertyContext {
  readonly client: AudienceApi;
  readonly properties: PropertyList;
  readonly host: Host;
}

const inputsSchema = z.object({
  name: z.string(),
  type: propertyTypeSchema,
  adopt: z.boolean().optional(),
});
const outputsSchema = z.object({ name: z.string(), type: propertyTypeSchema });

/** State of a contact property. */
export type PropertyState = z.infer<typeof outputsSchema>;

/** How often and how long the list is read after a creation, in milliseconds of waiting between. */
const READ_BACK_DELAYS_MS = [0, 100, 300, 1_000, 2_000, 5_000, 10_000];

/**
 * Faults of a contact property's inputs, by themselves, against the inputs of the last run and against the
 * service's list where it can be reached.
 *
 * @param olds inputs of the last run; empty for a new resource.
 * @throws AuthenticationError or PermissionError where the service refuses the API key.
 */
export async function checkContactProperty(
  olds: Raw,
  news: Raw,
  properties: PropertyList,
): Promise<Problem[]> {
  const problems = [...nameProblems(news['name']), ...typeProblems(news['type'])];
  const { adopt } = news;
  if (adopt !== undefined && adopt !== UNKNOWN && typeof adopt !== 'boolean') {
    problems.push({ property: 'adopt', reason: 'must be true or false' });
  }
  const wanted = inputsSchema.safeParse(news);
  if (problems.length > 0 || !wanted.success) return problems;
  const { name, type } = wanted.data;
  const before = outputsSchema.safeParse(olds);
  if (before.success && before.data.name === name) {
    return before.data.type === type ? [] : [typeChange(name, before.data.type, type)];
  }
  const listed = (await properties.forPreview([]))?.find(({ key }) => key === name);
  if (listed === undefined) return [];
  const problem = takeoverProblem(listed, wanted.data);
  return problem === undefined ? [] : [{ property: '', reason: problem }];
}

function nameProblems(name: unknown): Problem[] {
  if (name === UNKNOWN) return [];
  if (typeof name !== 'string') return [{ property: 'name', reason: 'must be text, such as teamSize' }];
  const reason = propertyNameProblem(name);
  return reason === undefined ? [] : [{ property: 'name', reason }];
}

function typeProblems(type: unknown): Problem[] {
  if (type === UNKNOWN || propertyTypeSchema.safeParse(type).success) return [];
  return [{ property: 'type', reason: `must be one of ${PROPERTY_TYPES.join(', ')}` }];
}

function typeChange(name: string, from: PropertyType, to: PropertyType): Problem {
  return {
    property: 'type',
    reason: `contact property '${name}' is a ${from} and cannot become a ${to}: the service never changes a property's type. Keep ${from}, or declare a new property under another name`,
  };
}

function takeoverProblem(listed: ContactProperty, wanted: z.infer<typeof inputsSchema>): string | undefined {
  const { name, type } = wanted;
  if (listed.type !== type) {
    return `contact property '${name}' exists in the service as a ${listed.type}, not as a ${type}, and the service never changes a property's type. Declare it as a ${listed.type}, or choose another name`;
  }
  if (wanted.adopt === true) return undefined;
  return `contact property '${name}' exists in the service already, as the ${type} that is declared. Set adopt: true to take it over, or choose another name`;
}

/** Whether state differs from what is declared, and whether that takes a new property. */
export function diffContactProperty(outs: Raw, news: Raw): { changes: boolean; replaces: string[] } {
  const replaces = ['name', 'type'].filter((field) => outs[field] !== news[field]);
  return { changes: replaces.length > 0, replaces };
}

/**
 * Creates the property, or takes over the one that is there if it has the declared type and `adopt` is set.
 * Ends when the service lists it.
 *
 * @throws ResourceError when a property of that name exists otherwise.
 */
export async function createContactProperty(
  raw: Raw,
  { client, properties, host }: PropertyContext,
): Promise<{ id: string; outs: PropertyState }> {
  const wanted = inputsSchema.parse(raw);
  const { name, type } = wanted;
  const done = { id: name, outs: { name, type } };
  const takeOver = (listed: ContactProperty): typeof done => {
    const problem = takeoverProblem(listed, wanted);
    if (problem !== undefined) throw new ResourceError(sentence(problem));
    host.reporter.info(`Contact property '${name}' (${type}) was in the service already and is taken over.`);
    return done;
  };
  const listed = (await properties.fresh()).find(({ key }) => key === name);
  if (listed !== undefined) return takeOver(listed);
  try {
    await client.properties.create({ name, type });
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    const other = (await properties.fresh()).find(({ key }) => key === name);
    if (other === undefined) throw error;
    return takeOver(other);
  }
  for (const delay of READ_BACK_DELAYS_MS) {
    if (delay > 0) await host.sleep(delay);
    if ((await properties.fresh()).some(({ key }) => key === name)) return done;
  }
  throw new ResourceError(
    `Contact property '${name}' was created, but the service does not list it yet. Run 'pulumi up' again in a minute with adopt: true.`,
  );
}

/** The property as the service lists it, or `undefined` when it is gone. */
export async function readContactProperty(
  raw: Raw,
  { properties, host }: Omit<PropertyContext, 'client'>,
): Promise<{ id: string; outs: PropertyState } | undefined> {
  const { name } = outputsSchema.parse(raw);
  const listed = (await properties.fresh()).find(({ key }) => key === name);
  if (listed !== undefined) return { id: name, outs: { name, type: listed.type } };
  host.reporter.warn(
    `Contact property '${name}' is gone from the service and leaves the state. Run 'pulumi up' to create it again, or remove it from the program.`,
  );
  return undefined;
}

/** Says that the property stays: the service has no call to delete it. */
export function deleteContactProperty(raw: Raw, { host }: Pick<PropertyContext, 'host'>): void {
  const { name } = outputsSchema.parse(raw);
  host.reporter.warn(
    `Contact property '${name}' has left Pulumi's state only: the service has no call to delete a property, so it stays there with its values. To manage it again, declare it with adopt: true.`,
  );
}

/** A reason as a sentence of its own. */
function sentence(reason: string): string {
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
}
