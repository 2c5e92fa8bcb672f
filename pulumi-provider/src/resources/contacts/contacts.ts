import { randomBytes, randomUUID } from 'node:crypto';
import type { Behaviour } from '../behaviour.js';
import { resourceOf } from '../declarations.js';
import { problem, ResourceError } from '../errors.js';
import { holdsUnknown, UNKNOWN } from '../raw.js';
import type { Raw } from '../raw.js';
import type { Run } from '../run.js';
import { contactsOf } from '../words.js';
import { inputProblem, inputsSchema, readInputs } from './inputs.js';
import { listOf, readList } from './list.js';
import { assertNotCutOff, reportPlan } from './plan.js';
import { readContacts } from './refresh.js';
import { nameOfSource } from './file/options.js';
import { Before, beforeOf, countsSchema, Hashes, outputsSchema } from './state.js';
import { upsertAll } from './upsert-all.js';

/** Many contacts in one resource. A row is written when its declaration changes. */
export const contacts: Behaviour = {
  schema: inputsSchema,
  outputs: countsSchema,
  computed: ['fingerprint'],
  secrets: ['contacts', 'salt'],

  /** Adds a fingerprint of the rows, which a diff compares. */
  async check(olds, given, run) {
    const { resource, inputs: declared } = resourceOf('Contacts', given);
    const { fingerprint: _, ...inputs } = declared;
    const reason = inputProblem(inputs);
    if (reason !== undefined) return { problems: [problem(reason)], inputs };
    if (inputs['file'] === UNKNOWN || holdsUnknown(inputs['contacts'])) {
      run.host.reporter.info(
        `${resource.label}: its contacts depend on other resources, so preview cannot compare them.`,
      );
      return { problems: [], inputs: { ...inputs, fingerprint: UNKNOWN } };
    }
    const read = readInputs(inputs);
    // Throws where the service refuses the API key, before anything is written.
    await run.known.listedProperties();
    const list = await readList(read, run, resource);
    if (olds['fingerprint'] === undefined) reportPlan(list, new Before(new Hashes(''), [], true), read, run);
    return { problems: [], inputs: { ...inputs, fingerprint: list.fingerprint } };
  },

  diff(_id, raw, news, run) {
    if (holdsUnknown(news['fingerprint'])) return Promise.resolve({ changes: true });
    const outs = outputsSchema.parse(raw);
    const inputs = readInputs(news);
    const before = beforeOf(outs, run.client.baseUrl);
    const isSame = outs.fingerprint === inputs.fingerprint && outs.file === inputs.file;
    const changes = !isSame || before.isOther || before.isUnclear;
    // A refresh has no check, so it has read no list.
    const list = listOf(inputs, run);
    if (changes && list !== undefined) {
      assertNotCutOff(list, outs, inputs);
      reportPlan(list, before, inputs, run);
    }
    return Promise.resolve({ changes });
  },

  create(raw, run) {
    const hashes = new Hashes(randomBytes(16).toString('base64url'));
    return write(`contacts-${randomUUID()}`, raw, new Before(hashes), run);
  },

  update: (id, outs, raw, run) =>
    write(id, raw, beforeOf(outputsSchema.parse(outs), run.client.baseUrl), run),

  read: readContacts,

  delete(_id, raw, { host }) {
    const { count, file } = outputsSchema.parse(raw);
    host.reporter.warn(
      `${contactsOf(count)} of ${nameOfSource({ file })} ${count === 1 ? 'was' : 'were'} removed from Pulumi's state only. The service is unchanged.`,
    );
    return Promise.resolve();
  },
};

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
