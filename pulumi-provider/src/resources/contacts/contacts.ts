import { randomBytes, randomUUID } from 'node:crypto';
import { problem } from '../../messages/index.js';
import { hasMoved } from '../address.js';
import type { Behaviour } from '../behaviour.js';
import { resourceOf } from '../declarations.js';
import { holdsUnknown, type Raw } from '../raw.js';
import type { Run } from '../run.js';
import { contentOf, withContent, withPlainFile } from './content.js';
import { fingerprintOf } from './declared-rows.js';
import { inputProblem, inputsSchema, nameOfSource, readInputs, type Inputs } from './inputs.js';
import { listKey, readList } from './list.js';
import { showPlan, tellGone } from './plan.js';
import { readContacts } from './refresh.js';
import {
  beforeOf,
  countSchema,
  Hashes,
  isUnclear,
  knowsOf,
  readOutputs,
  writtenOf,
  type Before,
} from './state.js';
import { optedOutOf, upsertAll } from './upsert-all.js';

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
    run.creations.tooEarly(optedOutOf(list), () => false, resource.label);
    const isNew = olds['file'] === undefined && olds['contacts'] === undefined;
    if (isNew) await showPlan(list, { hashes: new Hashes(''), entries: [] }, read, run);
    return { problems: [], inputs: withContent(withPlainFile(inputs), fingerprintOf(list)) };
  },

  async diff(id, raw, news, run) {
    const outs = readOutputs(raw);
    const isMoved = hasMoved(outs.address, run);
    const before = beforeOf(outs);
    run.creations.noteState(knowsOf(before));
    if (isUnknown(news)) return { changes: true };
    const checked = readInputs(news);
    const list = run.lists.get(listKey(checked));
    const inputs = withPlainFile(checked);
    if (list === 'ignored') {
      tellIgnored(before, inputs, run);
      return { changes: isMoved };
    }
    const content = contentOf(checked.file) ?? fingerprintOf(list ?? (await readList(inputs, run)));
    const isSame = outs.written === writtenOf(content, inputs) && outs.file === inputs.file;
    const changes = !isSame || isMoved || before.entries.some(isUnclear);
    // A refresh has no check, so it has read no list.
    if (list === undefined) return { changes };
    const mailed = run.creations.tooEarly(optedOutOf(list), knowsOf(before), list.resource.label);
    if (changes) await showPlan(list, before, inputs, run);
    else tellGone(list, before, inputs, run);
    return { changes: changes || mailed.length > 0 };
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
    return upsertAll(id, raw, beforeOf(readOutputs(outs)), run);
  },

  read: readContacts,

  delete(_id, raw, { host }) {
    const name = nameOfSource(readOutputs(raw));
    host.reporter.warn(problem('state.only', { what: 'The list of', name }));
    return Promise.resolve();
  },
};

/** Says what does not happen while changes of the file are ignored. */
function tellIgnored({ entries }: Before, inputs: Inputs, { host: { reporter } }: Run): void {
  const source = nameOfSource(inputs);
  const { length: count } = entries.filter(isUnclear);
  if (count > 0) reporter.info(problem('contacts.ignored', { count, source }));
  const saysNoMail = inputs.consent !== undefined && inputs.consent !== 'mail';
  if (saysNoMail) reporter.info(problem('contacts.ignoredConsent', { source }));
}

/** Whether preview cannot read the rows as the run will. */
function isUnknown({ file, contacts: rows, columns, consent }: Raw): boolean {
  return [file, rows, columns, consent].some(holdsUnknown);
}
