import type { Behaviour } from '../behaviour.js';
import { ResourceError } from '../errors.js';
import type { Run } from '../run.js';
import { contactsOf } from '../words.js';
import { Ledger } from './ledger.js';
import { nameOfSource } from './records.js';
import { removeAll } from './removal.js';
import { isOfAnotherService, outputsSchema } from './state.js';
import type { Outputs } from './state.js';

/**
 * Does with those who left what `onRemove` said in the run that upserted them, and says what was done. Of an older
 * copy, which an earlier run could not finish, only those are left whom the latest one does not have.
 *
 * @throws ResourceError where they are people of another service, and as `removeAll`.
 */
export const deleteContacts: Behaviour['delete'] = async (_id, raw, run) => {
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
};

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
          `${contactsOf(leaving)} no longer declared ${leaving === 1 ? 'stays' : 'stay'} in the service as before`,
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
