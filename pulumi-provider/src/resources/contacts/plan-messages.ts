import { isRecord } from 'audience-core/internal';
import { contactsOf, digits } from '../words.js';
import { LEAVERS } from '../on-removal.js';
import type { OnRemoval } from '../on-removal.js';
import type { Raw } from '../raw.js';
import type { Summary } from './check.js';
import type { Inputs } from './inputs.js';
import { isGone } from './ledger.js';
import { NAMED } from './plan.js';
import type { Plan } from './plan.js';
import { nameOfSource } from './records.js';
import type { RecordSource } from './records.js';
import { mostRemovals } from './removal-limit.js';
import type { Outputs } from './state.js';

/** The plan in one line of words and numbers. */
export function describePlan(
  plan: Plan,
  source: Inputs,
  label: string,
  onRemove: OnRemoval,
  createWithEvent: unknown,
): string {
  const { added, changed, unchanged, leaving } = plan;
  const parts = [`${digits(added)} new`];
  const details = [listed(plan.fields), prefixed('cleared: ', listed(plan.cleared))].filter(
    (text) => text !== '',
  );
  parts.push(
    `${digits(changed)} changed${details.length === 0 ? '' : ` (${details.join('; ')})`}`,
    `${digits(unchanged)} unchanged`,
  );
  if (plan.unsubscribed > 0) parts.push(unsubscribes(plan.unsubscribed));
  for (const [words, number] of plan.others) parts.push(`${digits(number)} of them ${words}`);
  const gone = leaving.filter(isGone).length;
  if (leaving.length > 0) {
    parts.push(
      `${digits(leaving.length)} leaving${gone === 0 ? '' : ` (${digits(gone)} of them gone at the last refresh)`}, who would ${LEAVERS[onRemove]}, unless this run declares them elsewhere`,
    );
  }
  const first = plan.first.length === 0 ? '' : ` First: ${plan.first.join('; ')}.`;
  return `${label} (${nameOfSource(source)}): ${parts.join(', ')}.${first}${plan.added > 0 ? ` ${unknownOfNew(createWithEvent, plan.hasBoth)}` : ''}`;
}

/** The plan of a list that state does not have yet. */
export function describeNew({ count: number, unsubscribed, effects }: Summary): string {
  const parts = [`${digits(number)} new`];
  if (unsubscribed > 0) parts.push(unsubscribes(unsubscribed));
  for (const [words, affected] of effects) parts.push(`${digits(affected)} of them ${words}`);
  return parts.join(', ');
}

/** What stands for records that an output of another resource brings. */
export const KNOWN_LATER = 'what is declared is known during the run only';

/** The plan where inputs are not known yet: the most that can happen. */
export function describeUnknown(
  { count: before, label, onRemove = 'retain', maxRemovals }: Outputs,
  news: Raw,
): string {
  const most = mostRemovals(
    before,
    typeof news['maxRemovals'] === 'number' ? news['maxRemovals'] : maxRemovals,
  );
  const losses = 'any of them may be changed, cleared of values or unsubscribed, as their records then say';
  const leave =
    onRemove === 'retain' && news['onRemove'] === 'retain'
      ? ''
      : `; and of those who leave, up to ${digits(most)} ${onRemove === 'retain' ? 'may lose what onRemove then says' : `would ${LEAVERS[onRemove]}`}`;
  return `${label} (${contactsOf(before)}): ${KNOWN_LATER}: ${losses}${leave}.`;
}

/** What is not known of new contacts, as it would take a read of each, and what is done with those that are not there. */
export function unknownOfNew(createWithEvent: unknown, hasBoth: boolean): string {
  const unchecked = `Whether new ones exist is not looked up before the run: those that do get the declared values in place of their own${hasBoth ? '; whoever has only the email gets the userId, whoever has only the userId gets the email in place of their own, and a record whose email is that of another userId fails' : ''}.`;
  return createWithEvent === undefined
    ? `${unchecked} Whoever does not exist fails, as createWithEvent names no event that creates them.`
    : `${unchecked} Whoever does not exist is sent ${eventIn(createWithEvent)}, which creates the contact and triggers its automations.`;
}

function eventIn(createWithEvent: unknown): string {
  const name = isRecord(createWithEvent) ? createWithEvent['eventName'] : undefined;
  return typeof name === 'string' ? `the event '${name}'` : 'an event that is known during the run only';
}

/** What records with `subscribed: false` do: it cannot be undone. */
function unsubscribes(number: number): string {
  return `${digits(number)} of them with subscribed: false, who are unsubscribed for good`;
}

function listed(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([name, number]) => `${name} ${digits(number)}`).join(', ');
}

function prefixed(prefix: string, text: string): string {
  return text === '' ? '' : prefix + text;
}

/** Why email addresses cannot be given as declared; `undefined` where they can. */
export function addressProblem(
  { circle, joined }: Plan,
  taken: readonly string[],
  source: RecordSource,
  label: string,
): string | undefined {
  const list = `${label} (${nameOfSource(source)})`;
  if (circle.length > 0) {
    return `${list}: ${circle.slice(0, NAMED).join(', ')} swap email addresses among themselves, and the service gives nobody an address that another still has. Give one of them another address first, run 'pulumi up', and then the one that is meant.`;
  }
  if (joined.length > 0) {
    return `${list}: ${joined.slice(0, NAMED).join(', ')} ${joined.length === 1 ? 'has' : 'have'} the email of one contact that was written before and the userId of another, and the service cannot make one of two. Declare one of them; take the other out, and run 'pulumi up', first (with onRemove: 'retain' for that run, if they are the same person).`;
  }
  if (taken.length > 0) {
    return `${list}: ${taken.join(', ')} ${taken.length === 1 ? 'gets' : 'get'} the email address of a contact that leaves, and the service gives nobody an address that another still has. Take the record that leaves out first, and run 'pulumi up'; give that contact another address in the service; then change the address here. If it is the same person with a new userId, change the userId in the service instead.`;
  }
  return undefined;
}
