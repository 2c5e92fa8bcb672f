import { ConflictError, InvalidRequestError, RejectedError } from 'audience-core';
import type { ContactProperty, PropertyType } from 'audience-core';
import { PROPERTY_TYPES, propertyNameProblem } from 'audience-core/internal';
import * as z from 'zod/mini';
import type { Behaviour } from './behaviour.js';
import { declarantOf } from './declarations.js';
import type { Declarant } from './declarations.js';
import { ResourceError } from './errors.js';
import { UNKNOWN } from './raw.js';
import { sentence } from './words.js';
import type { Problem } from './errors.js';
import type { Raw } from './raw.js';
import type { Run } from './run.js';

const typeSchema = z.enum(PROPERTY_TYPES);
const inputsSchema = z.object({ name: z.string(), type: typeSchema, adopt: z.optional(z.boolean()) });
const outputsSchema = z.object({ name: z.string(), type: typeSchema });
type Wanted = z.infer<typeof inputsSchema>;

const INPUT_NAMES: readonly string[] = Object.keys(inputsSchema.shape);

/** How often and how long the list is read after a creation, in milliseconds of waiting between. */
const READ_BACK_DELAYS_MS = [0, 100, 300, 1_000, 2_000, 5_000, 10_000];

/** How a service may refuse a property that exists. */
const REFUSALS = [ConflictError, InvalidRequestError, RejectedError];

/** A custom contact property. The service neither changes its type nor deletes it. */
export const contactProperty: Behaviour = {
  schema: inputsSchema,
  inputOnly: ['adopt'],

  /** @throws AuthenticationError or PermissionError where the service refuses the API key. */
  async check(olds, given, run) {
    const { declarant, inputs } = declarantOf('ContactProperty', given);
    return { problems: await problemsOf(olds, inputs, declarant, run), inputs };
  },

  diff(_id, outs, news) {
    const replaces = ['name', 'type'].filter((field) => outs[field] !== news[field]);
    return Promise.resolve({ changes: replaces.length > 0, replaces });
  },

  /**
   * Creates the property, or adopts the one that is there if it has the declared type and `adopt` is set. Ends when
   * the service lists it.
   *
   * @throws ResourceError when a property of that name exists otherwise.
   */
  async create(raw, { client, properties, host }) {
    const wanted = inputsSchema.parse(raw);
    const { name, type } = wanted;
    const made = { id: name, outs: { name, type } };
    const adopt = (listed: ContactProperty): typeof made => {
      const problem = adoptionProblem(listed, wanted);
      if (problem !== undefined) throw new ResourceError(sentence(problem));
      host.reporter.info(`Contact property '${name}' (${type}) was in the service already and is adopted.`);
      return made;
    };
    const listed = (await properties.fresh()).find(({ key }) => key === name);
    if (listed !== undefined) return adopt(listed);
    try {
      await client.properties.create({ name, type });
    } catch (error) {
      // It may be there by now, made by somebody else; how a service says so is left open.
      if (!REFUSALS.some((kind) => error instanceof kind)) throw error;
      const other = (await properties.fresh()).find(({ key }) => key === name);
      if (other === undefined) throw error;
      return adopt(other);
    }
    for (const delay of READ_BACK_DELAYS_MS) {
      if (delay > 0) await host.sleep(delay);
      if ((await properties.fresh()).some(({ key }) => key === name)) return made;
    }
    throw new ResourceError(
      `Contact property '${name}' was created, but the service does not list it yet. Run 'pulumi up' again in a minute with adopt: true.`,
    );
  },

  async import(name, { client }) {
    const custom = await client.properties.list({ list: 'custom' });
    const listed = custom.find(({ key }) => key === name);
    return listed && { id: name, outs: { name, type: listed.type } };
  },

  async read(_id, raw, { properties, host }) {
    const { name } = outputsSchema.parse(raw);
    const listed = (await properties.fresh()).find(({ key }) => key === name);
    if (listed !== undefined) return { id: name, outs: { name, type: listed.type } };
    host.reporter.warn(
      `Contact property '${name}' is gone from the service and leaves the state. Run 'pulumi up' to create it again, or remove it from the program.`,
    );
    return undefined;
  },

  // Name and type are all it has, and neither changes in place: only `adopt` can have.
  update: (_id, _outs, news) => Promise.resolve({ outs: { name: news['name'], type: news['type'] } }),

  delete(_id, raw, { host, declaredProperties }) {
    const { name } = outputsSchema.parse(raw);
    const owner = declaredProperties.find([name]);
    if (owner === undefined) {
      host.reporter.warn(
        `Contact property '${name}' has left Pulumi's state only: the service has no call to delete a property, so it stays there with its values. To manage it again, declare it with adopt: true.`,
      );
    } else {
      host.reporter.info(`Contact property '${name}' is declared by ${owner.location} now.`);
    }
    return Promise.resolve();
  },
};

async function problemsOf(olds: Raw, news: Raw, declarant: Declarant, run: Run): Promise<Problem[]> {
  const problems = [...nameProblems(news['name']), ...typeProblems(news['type'])];
  const { adopt } = news;
  if (adopt !== undefined && adopt !== UNKNOWN && typeof adopt !== 'boolean') {
    problems.push({ property: 'adopt', reason: 'must be true or false' });
  }
  for (const name of Object.keys(news)) {
    if (!INPUT_NAMES.includes(name)) {
      problems.push({
        property: '',
        reason: `'${name}' is not an input of a contact property, which has ${INPUT_NAMES.join(', ')}`,
      });
    }
  }
  if (news['name'] === UNKNOWN || news['type'] === UNKNOWN) run.properties.hasUnknown = true;
  const wanted = inputsSchema.safeParse(news);
  if (problems.length > 0 || !wanted.success) return problems;
  const { name, type } = wanted.data;
  run.declaredProperties.release(declarant);
  const earlier = run.declaredProperties.add([name], { declarant, location: declarant.label });
  if (earlier !== undefined) {
    const reason = `contact property '${name}' is declared twice, by ${earlier.location} and by ${declarant.label}. Keep one of them`;
    return [{ property: 'name', reason }];
  }
  const before = outputsSchema.safeParse(olds);
  if (before.success && before.data.name === name) {
    if (before.data.type !== type) return [typeChange(name, before.data.type, type)];
    run.properties.declare(name, type);
    return [];
  }
  const listed = (await run.properties.listed())?.find(({ key }) => key === name);
  run.properties.declare(name, type);
  const problem = listed && adoptionProblem(listed, wanted.data);
  return problem === undefined ? [] : [{ property: '', reason: problem }];
}

function nameProblems(name: unknown): Problem[] {
  if (name === UNKNOWN) return [];
  if (typeof name !== 'string') return [{ property: 'name', reason: 'must be text, such as teamSize' }];
  const reason = propertyNameProblem(name);
  return reason === undefined ? [] : [{ property: 'name', reason }];
}

function typeProblems(type: unknown): Problem[] {
  if (type === UNKNOWN || typeSchema.safeParse(type).success) return [];
  return [{ property: 'type', reason: `must be one of ${PROPERTY_TYPES.join(', ')}` }];
}

function typeChange(name: string, from: PropertyType, to: PropertyType): Problem {
  return {
    property: 'type',
    reason: `contact property '${name}' is a ${from} and cannot become a ${to}: the service never changes a property's type. Keep ${from}, or declare a new property under another name`,
  };
}

function adoptionProblem(listed: ContactProperty, { name, type, adopt }: Wanted): string | undefined {
  if (listed.type !== type) {
    return `contact property '${name}' exists in the service as a ${listed.type}, not as a ${type}, and the service never changes a property's type. Declare it as a ${listed.type}, or choose another name`;
  }
  if (adopt === true) return undefined;
  return `contact property '${name}' exists in the service already, as the ${type} that is declared. Set adopt: true to adopt it, or choose another name`;
}
