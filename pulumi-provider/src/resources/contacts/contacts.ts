import { randomBytes, randomUUID } from 'node:crypto';
import { problem } from '../../messages/index.js';
import type { Behaviour } from '../behaviour.js';
import { resourceOf } from '../declarations.js';
import { rejoinedGroups } from '../contact-record/rejoin.js';
import { holdsUnknown, type Raw } from '../raw.js';
import { contentOf, withContent, withPlainFile } from './content.js';
import { inputProblem, inputsSchema, nameOfSource, readInputs } from './inputs.js';
import { listKey, readList } from './list.js';
import { assertNotCutOff } from './limits.js';
import { showPlan } from './plan.js';
import { readContacts } from './refresh.js';
import { beforeOf, countSchema, Hashes, isUnclear, marksIn, outputsSchema } from './state.js';
import { upsertAll } from './upsert-all.js';

/** Many contacts in one resource. A row is written when its declaration changes. */
export const contacts: Behaviour = {
  schema: inputsSchema,
  outputs: countSchema,
  secrets: ['contacts', 'salt'],
  keepsInputs: true,

  /** Adds its content to the `file`. Where the engine gives the file of the last run, its changes are ignored. */
  async check(olds, given, run) {
    const { resource, inputs } = resourceOf('Contacts', given);
    const wrong = inputProblem(inputs);
    if (wrong !== undefined) return { problems: [wrong], inputs };
    if (contentOf(inputs['file']) !== undefined && inputs['file'] === olds['file']) {
      run.lists.set(listKey(readInputs(inputs)), 'ignored');
      return { problems: [], inputs };
    }
    if (isUnknown(inputs)) {
      run.host.reporter.info(problem('contacts.unknown', { list: resource.label }));
      return { problems: [], inputs };
    }
    const read = withPlainFile(readInputs(inputs));
    const list = await readList(read, run, resource);
    const isNew = olds['file'] === undefined && olds['contacts'] === undefined;
    if (isNew) await showPlan(list, { hashes: new Hashes(''), entries: [] }, read, run, true);
    const { file } = read;
    const checked = file === undefined ? inputs : { ...inputs, file: withContent(file, list.fingerprint) };
    return { problems: [], inputs: checked };
  },

  async diff(_id, raw, news, run) {
    if (isUnknown(news)) return { changes: true };
    const checked = readInputs(news);
    const list = run.lists.get(listKey(checked));
    const outs = outputsSchema.parse(raw);
    const inputs = withPlainFile(checked);
    const before = beforeOf(outs, run.client.baseUrl);
    const { reporter } = run.host;
    if (list === 'ignored') {
      const { length: count } = before.entries.filter(isUnclear);
      if (count > 0) reporter.info(problem('contacts.ignored', { count, source: nameOfSource(inputs) }));
      return { changes: false };
    }
    const content = contentOf(checked.file) ?? list?.fingerprint ?? (await readList(inputs, run)).fingerprint;
    const isSame = outs.written === content && outs.file === inputs.file;
    const marks = marksIn(before.entries);
    const isRejoin = rejoinedGroups(marks, run.rejoinCodes).length > 0;
    const changes = !isSame || before.isOther || isRejoin || before.entries.some(isUnclear);
    // A refresh has no check, so it has read no list.
    if (list === undefined) return { changes };
    run.tellUnfitCodes(list.resource.label, marks);
    if (changes) assertNotCutOff(list, outs, inputs);
    const isAnyAbsent = before.entries.some(({ absence }) => absence !== undefined);
    if (changes || isAnyAbsent || marks.size > 0) await showPlan(list, before, inputs, run, changes);
    return { changes };
  },

  create(raw, run) {
    const hashes = new Hashes(randomBytes(16).toString('base64url'));
    return upsertAll(`contacts-${randomUUID()}`, raw, { hashes, entries: [] }, run);
  },

  update(id, outs, raw, run) {
    if (run.lists.get(listKey(readInputs(raw))) === 'ignored')
      return Promise.resolve({ outs: { ...outs, ...withPlainFile(raw) } });
    return upsertAll(id, raw, beforeOf(outputsSchema.parse(outs), run.client.baseUrl), run);
  },

  read: readContacts,

  delete(_id, raw, { host }) {
    const { count, file } = outputsSchema.parse(raw);
    host.reporter.warn(problem('contacts.deleted', { count, source: nameOfSource({ file }) }));
    return Promise.resolve();
  },
};

/** Whether preview cannot read the rows as the run will. */
function isUnknown({ file, contacts: rows, columns, consent }: Raw): boolean {
  return [file, rows, columns, consent].some(holdsUnknown);
}
