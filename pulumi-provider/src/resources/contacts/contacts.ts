import { randomUUID } from 'node:crypto';
import { canonicalJson } from 'audience-core/internal';
import * as z from 'zod/mini';
import type { Behaviour } from '../behaviour.js';
import { withEventOnWire } from '../creation-event.js';
import { declarantOf } from '../declarations.js';
import { holdsUnknown, UNKNOWN } from '../raw.js';
import type { Problem } from '../errors.js';
import type { Raw } from '../raw.js';
import { checkRecords, fingerprintOf } from './check.js';
import { inputsSchema, known, retains, shapeProblems, typesGiven } from './inputs.js';
import { describeNew, KNOWN_LATER, unknownOfNew } from './plan-messages.js';
import { nameOfSource } from './records.js';
import { readContacts } from './refresh.js';
import { isOfAnotherService, outputsSchema } from './state.js';
import { deleteContacts } from './delete.js';
import { diffContacts } from './diff.js';
import { CHANGED_MEANWHILE, upsertAll } from './upsert.js';

/** Many contacts in one resource. Those whose records are gone are only touched when it, or what it was, is deleted. */
export const contacts: Behaviour = {
  schema: inputsSchema,
  outputs: z.object({ count: z.int() }),
  computed: ['fingerprint'],
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

  diff: diffContacts,

  /**
   * Upserts every declared contact that is new or changed, many at once under the client's limits.
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

  delete: deleteContacts,
};

/** Whether what was planned is declared as before, and only the records are others. */
function isChangedMeanwhile(planned: Raw, { fingerprint, ...inputs }: Raw): boolean {
  return (
    fingerprint !== planned['fingerprint'] &&
    Object.entries(inputs).every(([name, value]) => canonicalJson(value) === canonicalJson(planned[name]))
  );
}
