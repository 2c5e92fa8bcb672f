import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import type { Behaviour } from '../behaviour.js';
import { withEventOnWire } from '../contact-upsert.js';
import { declarantOf } from '../declarations.js';
import { holdsUnknown, ResourceError, UNKNOWN } from '../host.js';
import type { Problem, Raw } from '../host.js';
import type { Run } from '../run.js';
import { checkRecords } from './check.js';
import { sourceKey } from './contacts-run.js';
import { INPUT_NAMES, inputsSchema, known, shapeProblems, typesGiven } from './inputs.js';
import { Ledger } from './ledger.js';
import { circleProblem, describePlan, planOf, removalProblem, unknownOfNew } from './plan.js';
import { nameOfSource } from './records.js';
import { readContacts } from './refresh.js';
import { removeAll } from './removal.js';
import { identityOf, outputsSchema } from './state.js';
import { upsertAll } from './upsert.js';

/** Many contacts in one resource. Those whose records are gone are only touched when it, or what it was, is deleted. */
export const contacts: Behaviour = {
  schema: inputsSchema,
  outputs: z.object({ count: z.int() }),
  secrets: ['contacts', 'identities'],

  /**
   * The inputs that come back carry a fingerprint of the records, which decides whether there is anything to do.
   *
   * @throws AuthenticationError or PermissionError where the service refuses the API key.
   */
  async check(olds, given, run) {
    const { declarant, inputs: declared } = declarantOf('Contacts', given);
    const { fingerprint: _, ...inputs } = declared;
    const problems = shapeProblems(inputs);
    if (problems.length > 0) return { problems, inputs };
    if (inputs['file'] === UNKNOWN || holdsUnknown(inputs['contacts'])) {
      return { problems, inputs: { ...inputs, fingerprint: UNKNOWN } };
    }
    const source = inputsSchema.parse(withEventOnWire(known(inputs)));
    const propertyTypes = typesGiven(source);
    const { faults, summary } = await checkRecords(
      { ...source, propertyTypes },
      declarant,
      run,
      olds['fingerprint'],
    );
    const checked = { ...inputs, fingerprint: summary.fingerprint };
    const isFirst = !run.contacts.labels.has(sourceKey(checked));
    run.contacts.labels.set(sourceKey(checked), declarant);
    if (faults.length === 0 && isFirst && olds['fingerprint'] === undefined) {
      run.host.reporter.info(
        `${declarant.label} (${nameOfSource(source)}): ${summary.count.toLocaleString('en')} new. ${unknownOfNew(source.createWithEvent)}`,
      );
    }
    return { problems: faults.map((reason): Problem => ({ property: '', reason })), inputs: checked };
  },

  /**
   * Says the plan. Where contacts leave who have something to lose, the resource is replaced: the old one is deleted
   * at the end of the run, when it is known whom the run declares.
   *
   * @throws ResourceError where more would leave than may.
   */
  async diff(id, raw, news, run) {
    const settings = ['fingerprint', 'file', 'format', 'delimiter', 'onRemove', 'maxRemovals'];
    if (settings.every((name) => raw[name] === news[name])) {
      rememberOwner(raw, news, run, false);
      return { changes: false };
    }
    const declarant = run.contacts.labels.get(sourceKey(news));
    // Without a program, as in a refresh, nothing is planned.
    if (declarant === undefined) return { changes: true };
    const outs = outputsSchema.parse(raw);
    const source = inputsSchema.parse(withEventOnWire(known(news)));
    const ledger = Ledger.read(outs);
    const plan = await planOf(source, ledger);
    const fate = outs.onRemove ?? 'retain';
    run.host.reporter.info(describePlan(plan, source, declarant.label, fate));
    const circle = circleProblem(plan, source, declarant.label);
    if (circle !== undefined) throw new ResourceError(circle);
    const takes = fate !== 'retain' && plan.leaving.length > 0;
    rememberOwner(raw, news, run, takes);
    if (!takes) return { changes: true };
    const leaving = plan.leaving.filter((entry) => {
      const owner = run.people.ownerOf(identityOf(entry, outs));
      return owner === undefined || owner.declarant.key === declarant.key;
    });
    const problem = removalProblem(
      leaving.length,
      outs.count,
      source.maxRemovals,
      source,
      declarant.label,
      fate,
    );
    if (problem !== undefined) throw new ResourceError(problem);
    run.contacts.continued.set(sourceKey(news), { id, outs: raw });
    return { changes: true, replaces: ['fingerprint'] };
  },

  /**
   * Upserts every declared contact, many at once under the client's limits.
   *
   * @throws PartialFailure when some could not be: it names each with its place and keeps the rest as done.
   */
  async create(raw, run) {
    const continued = run.contacts.continued.get(sourceKey(raw));
    const before = continued === undefined ? undefined : outputsSchema.parse(continued.outs);
    const successor = before && run.contacts.successors.get(before.salt);
    if (successor !== undefined) successor.done = true;
    const id = continued?.id ?? `contacts-${randomUUID()}`;
    return { id, outs: await upsertAll(id, inputsSchema.parse(raw), before, true, run) };
  },

  /** @throws PartialFailure as `create`. */
  async update(id, oldOuts, raw, run) {
    const before = outputsSchema.parse(oldOuts);
    const keepsNobody = (before.onRemove ?? 'retain') === 'retain';
    return { outs: await upsertAll(id, inputsSchema.parse(raw), before, keepsNobody, run) };
  },

  read: readContacts,

  inputsOf: (outs) => Object.fromEntries(Object.entries(outs).filter(([name]) => INPUT_NAMES.includes(name))),

  /** Does with those who left what `onRemove` said in the run that upserted them, and says what was done. */
  async delete(_id, raw, run) {
    const outs = outputsSchema.parse(raw);
    const successor = run.contacts.successors.get(outs.salt);
    if (successor?.done === false) {
      run.host.reporter.warn(
        `Contacts (${nameOfSource(outs)}) are deleted before what replaces them, so that nobody knows yet whom this run declares: all are left as they are. Take deleteBeforeReplace off the resource.`,
      );
      return;
    }
    await removeAll(outs, successor?.declarant?.key, run);
  },
};

/** Notes whose records those of a state are, so that its deletion can tell a successor from others. */
function rememberOwner({ salt }: Raw, news: Raw, { contacts: shared }: Run, isReplaced: boolean): void {
  const declarant = shared.labels.get(sourceKey(news));
  if (typeof salt === 'string' && declarant !== undefined) {
    shared.successors.set(salt, { declarant, done: !isReplaced });
  }
}
