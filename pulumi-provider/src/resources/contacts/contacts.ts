import { randomBytes, randomUUID } from 'node:crypto';
import { problem } from '../../messages/index.js';
import type { Behaviour } from '../behaviour.js';
import { resourceOf } from '../declarations.js';
import { holdsUnknown, UNKNOWN } from '../raw.js';
import { inputProblem, inputsSchema, nameOfSource, readInputs } from './inputs.js';
import { listKey, readList } from './list.js';
import { assertNotCutOff, showPlan } from './plan.js';
import { readContacts } from './refresh.js';
import { beforeOf, countSchema, Hashes, isOpen, outputsSchema } from './state.js';
import { upsertAll } from './upsert-all.js';

/** Many contacts in one resource. A row is written when its declaration changes. */
export const contacts: Behaviour = {
  schema: inputsSchema,
  outputs: countSchema,
  computed: ['fingerprint'],
  secrets: ['contacts', 'salt'],

  /** Adds a fingerprint of the rows, which a diff compares. */
  async check(olds, given, run, ignored = []) {
    const { resource, inputs: declared } = resourceOf('Contacts', given);
    const { fingerprint: _, ...inputs } = declared;
    const wrong = inputProblem(inputs);
    if (wrong !== undefined) return { problems: [wrong], inputs };
    const { fingerprint } = olds;
    if (isIgnored(ignored) && fingerprint !== undefined)
      return { problems: [], inputs: { ...inputs, fingerprint } };
    if (inputs['file'] === UNKNOWN || holdsUnknown(inputs['contacts'])) {
      run.host.reporter.info(problem('contacts.unknown', { list: resource.label }));
      return { problems: [], inputs: { ...inputs, fingerprint: UNKNOWN } };
    }
    const read = readInputs(inputs);
    const list = await readList(read, run, resource);
    if (fingerprint === undefined) await showPlan(list, { hashes: new Hashes(''), entries: [] }, read, run);
    return { problems: [], inputs: { ...inputs, fingerprint: list.fingerprint } };
  },

  async diff(_id, raw, news, run, ignored = []) {
    if (isIgnored(ignored)) return { changes: false };
    if (holdsUnknown(news['fingerprint'])) return { changes: true };
    const outs = outputsSchema.parse(raw);
    const inputs = readInputs(news);
    const before = beforeOf(outs, run.client.baseUrl);
    const isSame = outs.fingerprint === inputs.fingerprint && outs.file === inputs.file;
    const changes = !isSame || before.isOther || isOpen(before, run.rejoins);
    // A refresh has no check, so it has read no list.
    const list = run.lists.get(listKey(inputs));
    if (changes && list !== undefined) {
      assertNotCutOff(list, outs, inputs);
      await showPlan(list, before, inputs, run);
    }
    return { changes };
  },

  create(raw, run) {
    const hashes = new Hashes(randomBytes(16).toString('base64url'));
    return upsertAll(`contacts-${randomUUID()}`, raw, { hashes, entries: [] }, run);
  },

  /** Where the program ignores changes of the rows, no row is written. */
  async update(id, outs, raw, run, ignored = []) {
    const { fingerprint: _, ...inputs } = raw;
    if (isIgnored(ignored)) return { outs: { ...outs, ...inputs } };
    return upsertAll(id, raw, beforeOf(outputsSchema.parse(outs), run.client.baseUrl), run);
  },

  read: readContacts,

  delete(_id, raw, { host }) {
    const { count, file } = outputsSchema.parse(raw);
    host.reporter.warn(problem('contacts.deleted', { count, source: nameOfSource({ file }) }));
    return Promise.resolve();
  },
};

function isIgnored(ignored: readonly string[]): boolean {
  return ignored.some((name) => ['file', 'contacts', 'fingerprint'].includes(name.split(/[.[]/)[0] ?? ''));
}
