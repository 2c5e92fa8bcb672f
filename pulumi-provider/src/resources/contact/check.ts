import type { Contact } from 'audience-core';
import { canAddress, describeIssue, isRecord } from 'audience-core/internal';
import type { Checked } from '../behaviour.js';
import {
  declaredFields,
  encodeFields,
  FIELDS,
  groupsOf,
  IDENTIFIERS,
  keptFields,
  propertiesOf,
} from './fields.js';
import type { Changes } from './fields.js';
import { INPUT_NAMES, isSet, settingsShape, withDatesOnWire } from './state.js';
import { eventProblem } from '../creation-event.js';
import { ON_REMOVAL } from '../on-removal.js';
import { declarantOf } from '../declarations.js';
import type { Declarant } from '../declarations.js';
import { holdsUnknown, textOf, UNKNOWN } from '../raw.js';
import type { Problem } from '../errors.js';
import type { Raw } from '../raw.js';
import { isEmail, isGiven, nameOf, NO_ADDRESS } from '../people.js';
import { FOR_CHECKS, readForChecks } from '../read-for-checks.js';
import type { Run } from '../run.js';
import { lookUp } from '../service-contacts.js';

/**
 * What is wrong with a contact's inputs, by themselves and beside what the service has; and the inputs with Unix seconds
 * for dates.
 *
 * @throws AuthenticationError or PermissionError where the service refuses the API key.
 */
export async function checkContact(olds: Raw, given: Raw, run: Run): Promise<Checked> {
  const { declarant, inputs } = declarantOf('Contact', given);
  const problems = [...shapeProblems(inputs), ...claimProblems(inputs, declarant, run)];
  const known = await knownProblems(inputs, run);
  problems.push(...known, ...addressProblems(olds, inputs));
  const isNew = IDENTIFIERS.every((name) => olds[name] === undefined);
  if (problems.length === 0 && isNew) problems.push(...(await existenceProblems(inputs, declarant, run)));
  return { problems, inputs: problems.length === 0 ? await withDatesOnWire(inputs, run) : inputs };
}

function shapeProblems(news: Raw): Problem[] {
  const problems: Problem[] = [];
  if (IDENTIFIERS.every((name) => isAbsent(news[name]))) {
    problems.push({
      property: '',
      reason: "a contact needs an 'email', a 'userId', or both, to be found by",
    });
  }
  const userId = textOf(news['userId']);
  if (isAbsent(news['email']) && isGiven(userId) && !canAddress(userId))
    problems.push({ property: 'userId', reason: NO_ADDRESS });
  for (const name of Object.keys(news)) {
    if (INPUT_NAMES.includes(name)) continue;
    problems.push({
      property: '',
      reason: `'${name}' is not an input of a contact; custom properties go into 'properties'`,
    });
  }
  const { onDelete } = news;
  if (onDelete !== undefined && onDelete !== UNKNOWN && !settingsShape.onDelete.safeParse(onDelete).success) {
    problems.push({ property: 'onDelete', reason: `must be one of ${ON_REMOVAL.join(', ')}` });
  }
  const reason = eventProblem(news['createWithEvent']);
  if (reason !== undefined) problems.push({ property: '', reason });
  return problems;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function claimProblems(news: Raw, declarant: Declarant, { people }: Run): Problem[] {
  people.release(declarant);
  const identity = { email: textOf(news['email']), userId: textOf(news['userId']) };
  const earlier = people.claim(identity, { declarant, location: declarant.label, userId: identity.userId });
  if (earlier === undefined) return [];
  return [{ property: '', reason: declaredTwice(nameOf(identity), earlier.location, declarant.label) }];
}

function declaredTwice(name: string, first: string, second: string): string {
  return `contact ${name} is declared twice, by ${first} and by ${second}: one of them would win by chance. Keep one of them`;
}

/** Faults of fields by the interface, and of names of properties and groups by what there is. */
async function knownProblems(news: Raw, run: Run): Promise<Problem[]> {
  const fields = Object.fromEntries(
    Object.entries(news).filter(([name]) => FIELDS.has(name) || name === 'properties'),
  );
  const names = Object.keys(propertiesOf(fields));
  const { issues } = encodeFields(fields, await run.properties.typesOf(names));
  const problems = issues.map((issue): Problem => {
    const [top] = issue.path;
    const property = issue.path.length === 1 && typeof top === 'string' && top !== 'properties' ? top : '';
    return { property, reason: property === '' ? describeIssue(issue) : issue.message };
  });
  for (const name of names) {
    if (issues.some(({ path }) => path[1] === name)) continue;
    const reason = await run.properties.problemOf(name);
    if (reason !== undefined) problems.push({ property: '', reason: `'properties.${name}' ${reason}` });
  }
  for (const id of groupsOf(fields)) {
    if (issues.some(({ path }) => path[0] === 'subscriptionGroups')) break;
    const reason = await run.groups.problemOf(id);
    if (reason !== undefined) problems.push({ property: '', reason: `'subscriptionGroups.${id}' ${reason}` });
  }
  return problems;
}

function addressProblems(olds: Raw, news: Raw): Problem[] {
  const [from, to] = [textOf(olds['email']), textOf(news['email'])];
  if (from === undefined || to === undefined || isEmail(from, to)) return [];
  if (!isAbsent(olds['userId']) || !isAbsent(news['userId'])) return [];
  return [{ property: 'email', reason: emailChange(from) }];
}

/** Why an email cannot change, and what to do. */
export function emailChange(from: string): string {
  return `changes from '${from}', and the service changes an email only for a contact that it can find by a userId. Add the 'userId' first, with the old email, and change the email in the next run; or declare the new address as a contact of its own`;
}

/** Looks whom a new contact is about: nobody, somebody who is adopted, or two people. */
async function existenceProblems(news: Raw, declarant: Declarant, run: Run): Promise<Problem[]> {
  const { email, userId } = { email: textOf(news['email']), userId: textOf(news['userId']) };
  const isLate = IDENTIFIERS.some((name) => holdsUnknown(news[name]));
  if (isLate) return [];
  const found = await readForChecks(
    `Whether contact ${nameOf({ email, userId })} exists`,
    run.host.reporter,
    async () => {
      const byEmail = email === undefined ? undefined : await lookUp(run.client, email, FOR_CHECKS);
      const isWhole = !canAddress(userId) || byEmail?.userId === userId;
      const byUserId = isWhole ? undefined : await lookUp(run.client, userId, FOR_CHECKS);
      return { byEmail, byUserId };
    },
  );
  if (found === undefined) return [];
  const { byEmail, byUserId } = found;
  if (byEmail !== undefined && byUserId !== undefined && byEmail.id !== byUserId.id) {
    const reason = `email '${email ?? ''}' and userId '${userId ?? ''}' are two contacts of the service (ids ${byEmail.id} and ${byUserId.id}). Declare one of them, or correct the identifier that is wrong`;
    return [{ property: '', reason }];
  }
  const person = byEmail ?? byUserId;
  if (person === undefined) {
    const event = news['createWithEvent'];
    if (isAbsent(event)) return [{ property: '', reason: absence({ email, userId }) }];
    run.host.reporter.info(
      `Contact ${nameOf({ email, userId })} does not exist: 'pulumi up' sends it the event${eventNameOf(event)}, which creates the contact and triggers its automations.`,
    );
    return [];
  }
  // The identifier that is not declared is theirs as well: a list may declare them by that one.
  const whole = { id: person.id, email: email ?? person.email, userId: userId ?? person.userId };
  const other = run.people.claim(whole, { declarant, location: declarant.label });
  if (other !== undefined) {
    return [
      { property: '', reason: declaredTwice(nameOf({ email, userId }), other.location, declarant.label) },
    ];
  }
  sayAdoption(person, news, run);
  return [];
}

function eventNameOf(event: unknown): string {
  const name = isRecord(event) ? textOf(event['eventName']) : undefined;
  return name === undefined ? '' : ` '${name}'`;
}

function sayAdoption(person: Contact, news: Raw, { host }: Run): void {
  const declared = declaredFields(keptFields(encodeFields(known(news), new Map()).fields));
  const identity = { email: textOf(news['email']), userId: textOf(news['userId']) };
  const all: Changes = { ...declared };
  if (identity.userId !== undefined) all['userId'] = identity.userId;
  if (identity.email !== undefined && !isEmail(person.email, identity.email)) all['email'] = identity.email;
  const differs = Object.keys(all).filter((name) => !isSet(person, name, all[name] ?? null));
  const set = differs.filter((name) => name !== 'subscribed');
  const overwritten = set.filter((name) => Object.hasOwn(person, name) && !isAbsent(person[name]));
  const effects = [
    ...(set.length === 0 ? [] : [`sets ${set.join(', ')}`]),
    ...(overwritten.length === 0 ? [] : [`of which it has other values in ${overwritten.join(', ')}`]),
    ...(differs.includes('subscribed') ? ['unsubscribes it for good'] : []),
  ];
  host.reporter.info(
    `Contact ${nameOf(identity)} exists in the service and is adopted: ${effects.length === 0 ? 'it is as declared' : effects.join(', ')}.`,
  );
}

function known(news: Raw): Raw {
  return Object.fromEntries(
    Object.entries(news).filter(
      ([name, value]) => (FIELDS.has(name) || name === 'properties') && !holdsUnknown(value),
    ),
  );
}

/** Why there is nobody to update, and what to do. */
export function absence(identity: Parameters<typeof nameOf>[0]): string {
  return `contact ${nameOf(identity)} does not exist in the service, which has no call that only creates one. Set createWithEvent, so that an event creates it, or declare it once it has come to the audience another way (a sign-up, or an email sent with addToAudience)`;
}
