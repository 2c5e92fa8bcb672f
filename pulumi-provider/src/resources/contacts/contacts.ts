import { randomBytes, randomUUID } from 'node:crypto';
import { problem } from '../../messages/index.js';
import { hasMoved } from '../address.js';
import type { Behaviour } from '../behaviour.js';
import { resourceOf } from '../declarations.js';
import { holdsUnknown, type Raw } from '../raw.js';
import { contentOf, withContent, withPlainFile } from './content.js';
import { inputProblem, inputsSchema, nameOfSource, readInputs } from './inputs.js';
import { listKey, readList } from './list.js';
import { showPlan } from './plan.js';
import { readContacts } from './refresh.js';
import { beforeOf, countSchema, Hashes, isUnclear, outputsSchema } from './state.js';
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
    const isMoved = hasMoved(outs.address, run);
    const inputs = withPlainFile(checked);
    const before = beforeOf(outs);
    const { reporter } = run.host;
    if (list === 'ignored') {
      const { length: count } = before.entries.filter(isUnclear);
      if (count > 0) reporter.info(problem('contacts.ignored', { count, source: nameOfSource(inputs) }));
      return { changes: isMoved };
    }
    const content = contentOf(checked.file) ?? list?.fingerprint ?? (await readList(inputs, run)).fingerprint;
    const isSame = outs.written === content && outs.file === inputs.file;
    const changes = !isSame || isMoved || before.entries.some(isUnclear);
    // A refresh has no check, so it has read no list.
    if (list === undefined) return { changes };
    const isAnyAbsent = before.entries.some(({ absence }) => absence !== undefined);
    if (changes || isAnyAbsent) await showPlan(list, before, inputs, run, changes);
    return { changes };
  },

  create(raw, run) {
    const hashes = new Hashes(randomBytes(16).toString('base64url'));
    return upsertAll(`contacts-${randomUUID()}`, raw, { hashes, entries: [] }, run);
  },

  update(id, outs, raw, run) {
    if (run.lists.get(listKey(readInputs(raw))) === 'ignored')
      return Promise.resolve({
        outs: { ...outs, ...withPlainFile(raw), address: run.client.baseUrl },
      });
    return upsertAll(id, raw, beforeOf(outputsSchema.parse(outs)), run);
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
