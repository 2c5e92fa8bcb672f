import type { Behaviour } from '../behaviour.js';
import { withEventOnWire } from '../creation-event.js';
import type { Declarant } from '../declarations.js';
import { ResourceError } from '../errors.js';
import { holdsUnknown } from '../raw.js';
import type { Raw } from '../raw.js';
import type { Run } from '../run.js';
import { clearedSince } from './declared-elsewhere.js';
import { inputsSchema, known, retains } from './inputs.js';
import type { Inputs } from './inputs.js';
import { Ledger } from './ledger.js';
import { planOf, stillTaken } from './plan.js';
import { addressProblem, describePlan, describeUnknown } from './plan-messages.js';
import { nameOfSource, readRecords } from './records.js';
import { removalProblem } from './removal-limit.js';
import { isOfAnotherService, outputsSchema, UNNAMED } from './state.js';
import type { Outputs } from './state.js';

/** What decides whether there is anything to do. */
const SETTINGS = ['fingerprint', 'file', 'format', 'delimiter', 'onRemove', 'maxRemovals'];

/**
 * Says the plan. Where contacts leave who have something to lose, the resource is replaced: the old one is deleted
 * at the end of the run, when it is known whom the run declares.
 *
 * @throws ResourceError where more would leave than may, and for email addresses that cannot be given as declared.
 */
export const diffContacts: Behaviour['diff'] = async (id, raw, news, run) => {
  const outs = outputsSchema.parse(raw);
  if (holdsUnknown(news['fingerprint']) || holdsUnknown(news['onRemove'])) {
    run.host.reporter.warn(describeUnknown(outs, news));
    return { changes: true };
  }
  const source = inputsSchema.parse(withEventOnWire(known(news)));
  run.contacts.noteCopy(outs);
  const { maxRemovals } = source;
  Object.assign(run.contacts.list(outs), { isRetained: retains(source), maxRemovals });
  const declarant = run.contacts.declarantOf(news);
  if (declarant !== undefined) run.contacts.noteSuccessor(outs, declarant);
  if (!isOfAnotherService(outs, run) && SETTINGS.every((name) => raw[name] === news[name])) {
    if (await isAnyClearedSince(source, outs, run)) return { changes: true };
    // State has the name, by which a forced replacement is known.
    if (declarant === undefined || [UNNAMED, declarant.label].includes(outs.label)) return { changes: false };
    run.host.reporter.info(
      `${declarant.label} has been ${outs.label} until now: its name in state is all that changes.`,
    );
    return { changes: true };
  }
  // Without a program, as in a refresh, nothing is planned.
  if (declarant === undefined) return { changes: true };
  const isReplaced = await planChange({ id, raw, outs, news, source, declarant }, run);
  return { changes: true, ...(isReplaced ? { replaces: ['fingerprint'] } : {}) };
};

async function isAnyClearedSince(source: Inputs, outs: Outputs, run: Run): Promise<boolean> {
  if (run.cleared.isEmpty) return false;
  const ledger = Ledger.read(outs);
  for await (const { fields } of readRecords(source))
    if (clearedSince(fields, ledger, run).length > 0) return true;
  return false;
}

/** A list that is declared in another way than state has it. */
interface Change {
  readonly id: string;
  /** State as it came, and as it was read. */
  readonly raw: Raw;
  readonly outs: Outputs;
  /** Inputs as they came, and as they were read. */
  readonly news: Raw;
  readonly source: Inputs;
  readonly declarant: Declarant;
}

/** @returns whether the resource is to be replaced, as somebody leaves who has something to lose. */
async function planChange({ id, raw, outs, news, source, declarant }: Change, run: Run): Promise<boolean> {
  const { contacts, host, people } = run;
  const { label } = declarant;
  const isOtherService = isOfAnotherService(outs, run);
  if (isOtherService) {
    host.reporter.warn(
      `${label} (${nameOfSource(source)}) was written to the service at ${outs.service}, and this is ${run.client.baseUrl}: all of it counts as new here, and nobody there is touched.`,
    );
  }
  const plan = await planOf(source, isOtherService ? new Ledger() : Ledger.read(outs));
  // Whoever sets `retain` takes nothing from anybody from now on.
  const onRemove = retains(source) ? 'retain' : (outs.onRemove ?? 'retain');
  host.reporter.info(describePlan(plan, source, label, onRemove, news['createWithEvent']));
  const address = addressProblem(plan, await stillTaken(plan, run), source, label);
  if (address !== undefined) throw new ResourceError(address);
  const takes = onRemove !== 'retain' && plan.leaving.length > 0;
  contacts.list(outs).isReplacedLater = takes;
  if (!isOtherService)
    contacts.plannedReplacements.set(declarant.key, { id, outs: raw, planned: news, takes });
  if (!takes) return false;
  const leaving = plan.leaving.filter(({ identity }) => {
    const owner = people.ownerOf(identity);
    return owner === undefined || owner.declarant.key === declarant.key;
  });
  const problem = removalProblem({
    leaving: leaving.length,
    before: outs.count,
    onRemove,
    label,
    source,
  });
  if (problem !== undefined) throw new ResourceError(problem);
  contacts.list(outs).taken = leaving.length;
  return true;
}
