import { randomBytes, randomUUID } from 'node:crypto';
import type { Behaviour } from '../behaviour.js';
import { resourceOf } from '../declarations.js';
import { ResourceError } from '../errors.js';
import { holdsUnknown, UNKNOWN } from '../raw.js';
import type { Raw } from '../raw.js';
import type { Run } from '../run.js';
import { inputsSchema, readInputs, shapeProblems } from './inputs.js';
import { listOf, readList } from './list.js';
import { assertNotCutOff, reportPlan } from './plan.js';
import { readContacts } from './refresh.js';
import { nameOfSource } from './file/rows.js';
import { Before, beforeOf, countsSchema, Hashes, outputsSchema } from './state.js';
import { upsertAll } from './upsert-all.js';

/** Many contacts in one resource: a row is written when its declaration changes. */
export const contacts: Behaviour = {
  schema: inputsSchema,
  outputs: countsSchema,
  computed: ['fingerprint'],
  secrets: ['contacts', 'salt'],

  /**
   * The checked inputs have a fingerprint of the rows, which decides whether there is anything to do.
   *
   * @throws AuthenticationError or PermissionError where the service refuses the API key.
   */
  async check(olds, given, run) {
    const { resource, inputs: declared } = resourceOf('Contacts', given);
    const { fingerprint: _, ...inputs } = declared;
    const problems = shapeProblems(inputs);
    if (problems.length > 0) return { problems, inputs };
    if (inputs['file'] === UNKNOWN || holdsUnknown(inputs['contacts'])) {
      run.host.reporter.info(
        `${resource.label}: its contacts depend on other resources, so preview cannot compare them.`,
      );
      return { problems, inputs: { ...inputs, fingerprint: UNKNOWN } };
    }
    const read = readInputs(inputs);
    // A refused key shows before anything is written.
    await run.known.listedProperties();
    const list = await readList(read, run, resource);
    if (olds['fingerprint'] === undefined) reportPlan(list, new Before(new Hashes('')), read, true, run);
    return { problems, inputs: { ...inputs, fingerprint: list.fingerprint } };
  },

  /** @throws ResourceError where more would change than may at once, or the file may be cut off. */
  diff(_id, raw, news, run) {
    if (holdsUnknown(news['fingerprint'])) return Promise.resolve({ changes: true });
    const outs = outputsSchema.parse(raw);
    const inputs = readInputs(news);
    const before = beforeOf(outs, run.client.baseUrl);
    const changes =
      before.isOther ||
      before.isUnclear ||
      outs.fingerprint !== inputs.fingerprint ||
      outs.file !== inputs.file;
    // A run without a check, such as a refresh, has read no list.
    const list = listOf(inputs, run);
    if (changes && list !== undefined) {
      assertNotCutOff(list, outs, inputs);
      reportPlan(list, before, inputs, before.isOther, run);
    }
    return Promise.resolve({ changes });
  },

  /** @throws PartialFailure when some rows could not be written. */
  create: (raw, run) =>
    write(
      `contacts-${randomUUID()}`,
      raw,
      new Before(new Hashes(randomBytes(16).toString('base64url'))),
      run,
    ),

  /** @throws PartialFailure when some rows could not be written. */
  update: (id, oldOuts, raw, run) =>
    write(id, raw, beforeOf(outputsSchema.parse(oldOuts), run.client.baseUrl), run),

  read: readContacts,

  delete(_id, raw, { host }) {
    const { count, file } = outputsSchema.parse(raw);
    host.reporter.warn(
      `The ${count === 1 ? 'contact' : `${count} contacts`} of ${nameOfSource({ file })} have left Pulumi's state only: they stay in the service as they are.`,
    );
    return Promise.resolve();
  },
};

/** @throws ResourceError where the rows are not those that were checked. */
async function write(id: string, raw: Raw, before: Before, run: Run): Promise<{ id: string; outs: Raw }> {
  const inputs = readInputs(raw);
  const list = listOf(inputs, run) ?? (await readList(inputs, run));
  if (list.fingerprint !== inputs.fingerprint) {
    throw new ResourceError(
      `${nameOfSource(inputs)} has changed since it was checked. Run 'pulumi up' again.`,
    );
  }
  return { id, outs: await upsertAll(id, inputs, list, before, run) };
}
