import { randomBytes, randomUUID } from 'node:crypto';
import type { Behaviour } from '../behaviour.js';
import { declarantOf } from '../declarations.js';
import type { Declarant } from '../declarations.js';
import { ResourceError } from '../errors.js';
import type { Problem } from '../errors.js';
import { keysOf } from '../people/identity.js';
import { holdsUnknown, UNKNOWN } from '../raw.js';
import type { Raw } from '../raw.js';
import type { Run } from '../run.js';
import { limited } from '../words.js';
import { inputsSchema, readInputs, shapeProblems } from './inputs.js';
import type { Inputs } from './inputs.js';
import { listOf, readList } from './list.js';
import type { List } from './list.js';
import { Matcher } from './match.js';
import { assertFewChanges, assertNotCutOff, describePlan, planOf } from './plan.js';
import { readContacts } from './refresh.js';
import { nameOfSource } from './rows.js';
import { countsSchema, Entries, Hashes, outputsSchema, parseEntries } from './state.js';
import type { Outputs } from './state.js';
import { upsertAll } from './upsert-all.js';
import type { Before } from './upsert-all.js';

/** Many contacts in one resource: what each row declares is written when its declaration changes. */
export const contacts: Behaviour = {
  schema: inputsSchema,
  outputs: countsSchema,
  computed: ['fingerprint'],
  secrets: ['contacts', 'salt'],

  /**
   * The inputs that come back carry a fingerprint of the rows, which decides whether there is anything to do.
   *
   * @throws AuthenticationError or PermissionError where the service refuses the API key.
   */
  async check(olds, given, run) {
    const { declarant, inputs: declared } = declarantOf('Contacts', given);
    const { fingerprint: _, ...inputs } = declared;
    const problems = shapeProblems(inputs);
    if (problems.length > 0) return { problems, inputs };
    if (inputs['file'] === UNKNOWN || holdsUnknown(inputs['contacts'])) {
      run.host.reporter.info(
        `${declarant.label}: its contacts depend on other resources, so preview cannot compare them.`,
      );
      return { problems, inputs: { ...inputs, fingerprint: UNKNOWN } };
    }
    const read = readInputs(inputs);
    // One read, whatever is declared: a key that is refused is told before anything is written.
    await run.properties.listed();
    const list = await readList(read, run);
    const source = nameOfSource(read);
    const faults = clashes(list, declarant, run);
    const checked = { ...inputs, fingerprint: list.fingerprint };
    labels.set(list, declarant.label);
    if (faults.length === 0 && olds['fingerprint'] === undefined) {
      const plan = planOf(list, new Matcher(new Entries([]), new Hashes(''), list));
      assertFewChanges(plan, list, read);
      run.host.reporter.info(describePlan(plan, list, declarant.label, source, read.createWithEvent, true));
    }
    return {
      problems: limited(faults).map((fault): Problem => ({ property: '', reason: `${source}, ${fault}` })),
      inputs: checked,
    };
  },

  /** @throws ResourceError where more would change than may at once, or the file may be cut off. */
  diff(_id, raw, news, run) {
    if (holdsUnknown(news['fingerprint'])) return Promise.resolve({ changes: true });
    const outs = outputsSchema.parse(raw);
    const inputs = readInputs(news);
    const { entries, hashes } = beforeOf(outs, run);
    const isOther = outs.service !== hashes.service(run.client.baseUrl);
    const changes =
      isOther || entries.isUnclear || outs.fingerprint !== inputs.fingerprint || outs.file !== inputs.file;
    // Without a check in this run, as in a refresh, there is nothing to tell.
    const list = listOf(inputs, run);
    if (changes && list !== undefined) {
      assertNotCutOff(list, outs, inputs);
      const plan = planOf(list, new Matcher(entries, hashes, list));
      assertFewChanges(plan, list, inputs);
      const label = labels.get(list) ?? 'Contacts';
      run.host.reporter.info(
        describePlan(plan, list, label, nameOfSource(inputs), inputs.createWithEvent, isOther),
      );
    }
    return Promise.resolve({ changes });
  },

  /** @throws PartialFailure when some rows could not be written. */
  async create(raw, run) {
    const before = { entries: new Entries([]), hashes: new Hashes(randomBytes(16).toString('base64url')) };
    return write(`contacts-${randomUUID()}`, raw, before, run);
  },

  /** @throws PartialFailure when some rows could not be written. */
  update: (id, oldOuts, raw, run) => write(id, raw, beforeOf(outputsSchema.parse(oldOuts), run), run),

  read: readContacts,

  delete(_id, raw, { host }) {
    const { count, file } = outputsSchema.parse(raw);
    host.reporter.warn(
      `The ${count === 1 ? 'contact' : `${count} contacts`} of ${nameOfSource({ file })} have left Pulumi's state only: they stay in the service as they are.`,
    );
    return Promise.resolve();
  },
};

/** Names of the resources that declare lists of this run. */
const labels = new WeakMap<List, string>();

/** What state knows of the rows; of another service, nothing. */
function beforeOf(outs: Outputs, run: Run): Before {
  const hashes = new Hashes(outs.salt);
  const isOther = outs.service !== hashes.service(run.client.baseUrl);
  return { hashes, entries: isOther ? new Entries([]) : parseEntries(outs) };
}

async function write(id: string, raw: Raw, before: Before, run: Run): Promise<{ id: string; outs: Raw }> {
  const inputs = readInputs(raw);
  const list = listOf(inputs, run) ?? (await readAgain(inputs, run));
  const outs = await upsertAll(id, inputs, list, before, run);
  return { id, outs };
}

/** @throws ResourceError where the rows are not those that were checked. */
async function readAgain(inputs: Inputs, run: Run): Promise<List> {
  const list = await readList(inputs, run);
  if (list.fingerprint === inputs.fingerprint) return list;
  throw new ResourceError(`${nameOfSource(inputs)} has changed since it was checked. Run 'pulumi up' again.`);
}

/** Notes what the rows declare, and says where another resource gives a contact another value. */
function clashes(list: List, declarant: Declarant, run: Run): string[] {
  run.declarations.release(declarant);
  return list.rows.flatMap((row) => {
    const { email, userId, values, location } = row;
    const declaration = { declarant, location: `${location} of ${declarant.label}`, values };
    const clash = run.declarations.add(keysOf({ email, userId }), declaration);
    if (clash === undefined) return [];
    return [
      `${location}: ${clash.other.location} declares the same contact with another value of '${clash.field}'. Keep one of them`,
    ];
  });
}
