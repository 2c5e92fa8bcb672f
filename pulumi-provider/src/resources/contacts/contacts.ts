import { randomUUID } from 'node:crypto';
import { canonicalJson } from 'audience-core/contract';
import * as z from 'zod/mini';
import type { Behaviour } from '../behaviour.js';
import { withEventOnWire } from '../creation-event.js';
import { declarantOf } from '../declarations.js';
import { ResourceError } from '../errors.js';
import { holdsUnknown, UNKNOWN } from '../raw.js';
import { count } from '../words.js';
import type { Problem } from '../errors.js';
import type { Raw } from '../raw.js';
import type { Run } from '../run.js';
import { checkRecords, fingerprintOf } from './check.js';
import { inputsSchema, known, retains, shapeProblems, typesGiven } from './inputs.js';
import { Ledger } from './ledger.js';
import { planOf, stillTaken } from './plan.js';
import {
  addressProblem,
  describeNew,
  describePlan,
  describeUnknown,
  KNOWN_LATER,
  unknownOfNew,
} from './plan-messages.js';
import { nameOfSource } from './records.js';
import { readContacts } from './refresh.js';
import { removalProblem } from './removal-limit.js';
import { removeAll } from './removal.js';
import { isOfAnotherService, outputsSchema, UNNAMED } from './state.js';
import type { Outputs } from './state.js';
import { CHANGED_MEANWHILE, upsertAll } from './upsert.js';

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
      if (olds['fingerprint'] === undefined) {
        run.host.reporter.info(
          `${declarant.label}: ${KNOWN_LATER}. ${unknownOfNew(inputs['createWithEvent'], true)}`,
        );
      }
      return { problems, inputs: { ...inputs, fingerprint: UNKNOWN } };
    }
    const source = inputsSchema.parse(withEventOnWire(known(inputs)));
    const propertyTypes = typesGiven(source);
    const { faults: found, summary } = await checkRecords(
      { ...source, propertyTypes },
      declarant,
      run,
      olds['fingerprint'],
    );
    const checked = { ...inputs, fingerprint: fingerprintOf(summary, declarant.label) };
    const isFirst = run.contacts.declare(checked, declarant);
    const planned = run.contacts.plannedReplacements.get(declarant.key)?.planned;
    const isPlanned = planned === undefined || !isChangedMeanwhile(planned, checked);
    const faults = isPlanned ? found : [`${nameOfSource(source)} ${CHANGED_MEANWHILE}`];
    if (isPlanned && isFirst && planned !== undefined) {
      run.host.reporter.warn(
        `${declarant.label} is replaced, and Pulumi's ignoreChanges does not hold for what replaces a resource: this run writes all that the program declares.`,
      );
    } else if (faults.length === 0 && isFirst && olds['fingerprint'] === undefined) {
      run.host.reporter.info(
        `${declarant.label} (${nameOfSource(source)}): ${describeNew(summary)}.${summary.count === 0 ? '' : ` ${unknownOfNew(inputs['createWithEvent'], summary.hasBoth)}`}`,
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
    const outs = outputsSchema.parse(raw);
    const isOtherService = isOfAnotherService(outs, run);
    if (holdsUnknown(news['fingerprint']) || holdsUnknown(news['onRemove'])) {
      run.host.reporter.warn(describeUnknown(outs, news));
      return { changes: true };
    }
    const source = inputsSchema.parse(withEventOnWire(known(news)));
    run.contacts.noteCopy(outs);
    const list = run.contacts.list(outs);
    list.isRetained = retains(source);
    const declarant = run.contacts.declarantOf(news);
    if (declarant !== undefined) run.contacts.noteSuccessor(outs, declarant);
    if (!isOtherService && settings.every((name) => raw[name] === news[name])) {
      // State has the name, by which a forced replacement is known.
      if (declarant === undefined || [UNNAMED, declarant.label].includes(outs.label))
        return { changes: false };
      run.host.reporter.info(
        `${declarant.label} has been ${outs.label} until now: its name in state is all that changes.`,
      );
      return { changes: true };
    }
    // Without a program, as in a refresh, nothing is planned.
    if (declarant === undefined) return { changes: true };
    if (isOtherService) {
      run.host.reporter.warn(
        `${declarant.label} (${nameOfSource(source)}) was written to the service at ${outs.service}, and this is ${run.client.baseUrl}: all of it counts as new here, and nobody there is touched.`,
      );
    }
    const plan = await planOf(source, isOtherService ? new Ledger() : Ledger.read(outs));
    // Whoever sets `retain` takes nothing from anybody from now on.
    const onRemove = list.isRetained ? 'retain' : (outs.onRemove ?? 'retain');
    run.host.reporter.info(describePlan(plan, source, declarant.label, onRemove, news['createWithEvent']));
    const address = addressProblem(plan, await stillTaken(plan, run), source, declarant.label);
    if (address !== undefined) throw new ResourceError(address);
    const takes = onRemove !== 'retain' && plan.leaving.length > 0;
    list.isReplacedLater = takes;
    if (!isOtherService)
      run.contacts.plannedReplacements.set(declarant.key, { id, outs: raw, planned: news, takes });
    if (!takes) return { changes: true };
    const leaving = plan.leaving.filter(({ identity }) => {
      const owner = run.people.ownerOf(identity);
      return owner === undefined || owner.declarant.key === declarant.key;
    });
    const problem = removalProblem({
      leaving: leaving.length,
      before: outs.count,
      onRemove,
      label: declarant.label,
      source,
    });
    if (problem !== undefined) throw new ResourceError(problem);
    return { changes: true, replaces: ['fingerprint'] };
  },

  /**
   * Upserts every declared contact, many at once under the client's limits.
   *
   * @throws PartialFailure when some could not be: it names each with its place and keeps the rest as done.
   */
  async create(raw, run) {
    const planned = run.contacts.takePlannedReplacement(raw);
    const before = planned === undefined ? undefined : outputsSchema.parse(planned.outs);
    if (before !== undefined) run.contacts.list(before).isReplacedLater = false;
    const id = planned?.id ?? `contacts-${randomUUID()}`;
    const generation = before === undefined ? 0 : before.generation + 1;
    const outs = await upsertAll(
      id,
      inputsSchema.parse(raw),
      { before, salt: before?.salt, generation, forgetsLeaving: true },
      run,
    );
    if (before !== undefined && planned?.takes === true) run.contacts.allowRemoval(before);
    return { id, outs };
  },

  /** @throws PartialFailure as `create`. */
  async update(id, oldOuts, raw, run) {
    run.contacts.takePlannedReplacement(raw);
    const old = outputsSchema.parse(oldOuts);
    const inputs = inputsSchema.parse(raw);
    const forgetsLeaving = [old, inputs].some(retains);
    const before = isOfAnotherService(old, run) ? undefined : old;
    return {
      outs: await upsertAll(
        id,
        inputs,
        { before, salt: old.salt, generation: old.generation, forgetsLeaving },
        run,
      ),
    };
  },

  read: readContacts,

  /**
   * Does with those who left what `onRemove` said in the run that upserted them, and says what was done. Of an older
   * copy, which an earlier run could not finish, only those are left whom the latest one does not have.
   *
   * @throws ResourceError where they are people of another service.
   */
  async delete(_id, raw, run) {
    const outs = outputsSchema.parse(raw);
    const { contacts: shared } = run;
    shared.noteCopy(outs);
    shared.noteDeleted(outs);
    if (!shared.isRetained(outs)) {
      if (isOfAnotherService(outs, run)) throw new ResourceError(elsewhere(outs, run));
      await run.host.sleep(BESIDE_MS);
    }
    const isOtherProcess = shared.isOfAnotherProcess(outs);
    if (!shared.isRetained(outs) && (isOtherProcess || shared.isUnplannedReplacement(outs))) {
      const latest = shared.latestOf(outs);
      const later = latest === outs ? undefined : Ledger.read(latest);
      const open = Ledger.read(outs)
        .all()
        .filter((entry) => run.people.ownerOf(entry.identity) === undefined && later?.knows(entry) !== true);
      if (open.length > 0 || !isOtherProcess)
        run.host.reporter.warn(unasked(open.length, outs, isOtherProcess));
      return;
    }
    const { successor, isReplacedLater } = shared.list(outs);
    if (isReplacedLater === true) {
      run.host.reporter.warn(
        `Contacts (${nameOfSource(outs)}) are deleted before what replaces them, so that nobody knows yet whom this run declares: all are left as they are. Take deleteBeforeReplace off the resource.`,
      );
      return;
    }
    const latest = shared.latestOf(outs);
    const taken = shared.isRetained(outs) ? { ...outs, onRemove: 'retain' as const } : outs;
    await removeAll(taken, latest === outs ? undefined : latest, successor?.key, run);
  },
};

/** Whether what was planned is declared as before, and only the records are others. */
function isChangedMeanwhile(planned: Raw, { fingerprint, ...inputs }: Raw): boolean {
  return (
    fingerprint !== planned['fingerprint'] &&
    Object.entries(inputs).every(([name, value]) => canonicalJson(value) === canonicalJson(planned[name]))
  );
}

/** The engine deletes the copies of a list side by side, unless it is told not to: so they know of each other. */
const BESIDE_MS = 200;

function unasked(leaving: number, outs: Outputs, isOtherProcess: boolean): string {
  const why = isOtherProcess
    ? 'goes on with another provider of this run, or it declares a list of this name: this one cannot know who leaves'
    : "is replaced without a plan of who leaves, as --replace, 'pulumi state taint' and replacementTrigger ask no provider";
  const stay = [
    ...(leaving === 0
      ? []
      : [
          `${count(leaving, 'contact')} no longer declared ${leaving === 1 ? 'stays' : 'stay'} in the service as before`,
        ]),
    ...(isOtherProcess ? [] : ['values no longer declared stay too']),
  ];
  const how =
    leaving === 0 ? '' : " To take them, declare them once more, run 'pulumi up', and then take them out.";
  return `${outs.label} (${nameOfSource(outs)}) ${why}: ${stay.join('; ')}.${how}`;
}

function elsewhere(outs: Outputs, { client }: Run): string {
  return `Contacts (${nameOfSource(outs)}) were written to the service at ${outs.service}, and this is ${client.baseUrl}: nobody was touched. Set baseUrl back; or, if nobody there is to be touched, take this copy out of the state by 'pulumi stack export' and 'pulumi stack import'.`;
}
