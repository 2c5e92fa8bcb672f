import type { ContactProperty } from 'audience-core';
import { PROPERTY_TYPES, propertyNameProblem } from 'audience-core/internal';
import * as z from 'zod/mini';
import type { Behaviour } from './behaviour.js';
import { resourceOf, type Resource } from './declarations.js';
import { problem, type Problem } from '../messages/index.js';
import { ResourceError } from './errors.js';
import { UNKNOWN, unknownInputs, type Raw } from './raw.js';
import type { Run } from './run.js';

const typeSchema = z.enum(PROPERTY_TYPES);
const inputsSchema = z.object({ name: z.string(), type: typeSchema });
type Wanted = z.infer<typeof inputsSchema>;

const INPUT_NAMES: readonly string[] = Object.keys(inputsSchema.shape);

/** A custom contact property. The API has no call that changes its type or deletes it. */
export const contactProperty: Behaviour = {
  schema: inputsSchema,

  async check(olds, given, run) {
    const { resource, inputs } = resourceOf('ContactProperty', given);
    return { problems: await problemsOf(olds, inputs, resource, run), inputs };
  },

  diff(_id, outs, news) {
    const replaces = ['name', 'type'].filter((field) => outs[field] !== news[field]);
    return Promise.resolve({ changes: replaces.length > 0, replaces });
  },

  async create(raw, { client }) {
    const wanted = inputsSchema.parse(raw);
    const { name, type } = wanted;
    const listed = named(name, await client.properties.list({ list: 'custom' }));
    if (listed === undefined) await client.properties.create({ name, type });
    const reason = typeProblem(listed, wanted);
    if (reason !== undefined) throw new ResourceError(reason);
    return { id: name, outs: { name, type } };
  },

  async import(name, { client }) {
    const listed = named(name, await client.properties.list({ list: 'custom' }));
    return listed && { id: name, outs: { name, type: listed.type } };
  },

  async read(_id, raw, { known, host }) {
    const { name, type } = inputsSchema.parse(raw);
    const all = await known.listedProperties();
    // A service that cannot be read is a warning, and state stays.
    if (all === undefined) return { id: name, outs: { name, type } };
    const listed = named(name, all);
    if (listed !== undefined) return { id: name, outs: { name, type: listed.type } };
    host.reporter.warn(problem('property.gone', { name }));
    return undefined;
  },

  // A changed name or type replaces the property.
  update: (_id, _outs, news) => Promise.resolve({ outs: { name: news['name'], type: news['type'] } }),

  delete(_id, raw, { host }) {
    const { name } = inputsSchema.parse(raw);
    host.reporter.warn(problem('state.only', { what: 'Contact property', name: `'${name}'` }));
    return Promise.resolve();
  },
};

async function problemsOf(olds: Raw, news: Raw, resource: Resource, run: Run): Promise<Problem[]> {
  const problems = [...shapeProblems(news), ...unknownInputs(news, INPUT_NAMES)];
  if (news['name'] === UNKNOWN || news['type'] === UNKNOWN) run.known.hasUnknownProperties = true;
  const wanted = inputsSchema.safeParse(news);
  if (problems.length > 0 || !wanted.success) return problems;
  const { name, type } = wanted.data;
  const clash = run.declarations.add([`property ${name}`], { resource, values: { type } });
  if (clash !== undefined)
    return [problem('property.twoTypes', { name, by: clash.where, other: resource.label }, 'type')];
  const listed = named(name, await run.known.listedProperties());
  run.known.declareProperty(name, type);
  const reason = typeProblem(listed, wanted.data);
  if (reason !== undefined) return [reason];
  const isNew = olds['name'] !== name;
  if (isNew && listed !== undefined) run.host.reporter.info(problem('property.exists', { name, type }));
  return [];
}

const WRONG_TYPE = { code: 'wrongType', expected: 'string' } as const;

function shapeProblems({ name, type }: Raw): Problem[] {
  const problems: Problem[] = [];
  if (name !== UNKNOWN) {
    const found = typeof name === 'string' ? propertyNameProblem(name) : WRONG_TYPE;
    if (found !== undefined) problems.push(problem('field.wrong', { issue: { ...found, path: [] } }, 'name'));
  }
  if (type !== UNKNOWN && !typeSchema.safeParse(type).success)
    problems.push(problem('input.notOneOf', { values: PROPERTY_TYPES }, 'type'));
  return problems;
}

function named(name: string, listed: readonly ContactProperty[] = []): ContactProperty | undefined {
  return listed.find(({ key }) => key === name);
}

function typeProblem(listed: ContactProperty | undefined, { name, type }: Wanted): Problem | undefined {
  if (listed === undefined || listed.type === type) return undefined;
  return problem('property.otherType', { name, is: listed.type, wanted: type });
}
