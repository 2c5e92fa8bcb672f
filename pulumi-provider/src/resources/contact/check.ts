import { canAddress, isRecord } from 'audience-core/internal';
import type { Contact } from 'audience-core';
import type { Checked } from '../behaviour.js';
import { resourceOf } from '../declarations.js';
import type { Resource } from '../declarations.js';
import { problem } from '../errors.js';
import type { Problem } from '../errors.js';
import { eventProblem } from '../contact-record/creation-event.js';
import {
  clearOf,
  fieldIssues,
  IDENTIFIERS,
  onWire,
  propertiesOf,
  RECORD_FIELDS,
  wordFieldIssue,
} from '../contact-record/fields.js';
import {
  find,
  isEmail,
  isGiven,
  keysOf,
  nameOf,
  NO_ADDRESS,
  refusalText,
} from '../contact-record/identity.js';
import { lookUp } from '../contact-record/service-contacts.js';
import { currentValue, groupOf, hasValue, valuesOf } from '../contact-record/values.js';
import type { Value } from '../contact-record/values.js';
import { holdsUnknown, textOf } from '../raw.js';
import type { Raw } from '../raw.js';
import type { Run } from '../run.js';
import { unknownInputs } from '../words.js';
import { declaredIn, identityOf, INPUT_NAMES, withDatesOnWire } from './state.js';

/** Checks a contact's inputs against each other, the program and the service. */
export async function checkContact(olds: Raw, given: Raw, run: Run): Promise<Checked> {
  const { resource, inputs: all } = resourceOf('Contact', given);
  const inputs = withoutNullSettings(all);
  const problems = [...shapeProblems(inputs), ...(await fieldProblems(inputs, run))];
  if (problems.length === 0) {
    run.declarations.begin(resource);
    const clashes = clashProblems(identityOf(inputs), inputs, resource, run);
    problems.push(...clashes, ...emailProblems(olds, inputs));
  }
  const isNew = IDENTIFIERS.every((name) => olds[name] === undefined);
  if (problems.length === 0 && isNew) problems.push(...(await existenceProblems(inputs, resource, run)));
  return { problems, inputs: problems.length === 0 ? await withDatesOnWire(inputs, run) : inputs };
}

/** `null` has a meaning for fields only. */
function withoutNullSettings(inputs: Raw): Raw {
  const settings = ['properties', 'subscriptionGroups', 'clear', 'createWithEvent'];
  return Object.fromEntries(
    Object.entries(inputs).filter(([name, value]) => value !== null || !settings.includes(name)),
  );
}

function shapeProblems(news: Raw): Problem[] {
  const problems: Problem[] = [];
  const userId = textOf(news['userId']);
  if (IDENTIFIERS.every((name) => isAbsent(news[name])))
    problems.push(problem("a contact needs an 'email', a 'userId', or both, to be found by"));
  if (isAbsent(news['email']) && isGiven(userId) && !canAddress(userId))
    problems.push(problem(NO_ADDRESS, 'userId'));
  problems.push(...unknownInputs(news, INPUT_NAMES));
  const reason = eventProblem(news['createWithEvent']);
  if (reason !== undefined) problems.push(problem(reason));
  return problems;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

async function fieldProblems(news: Raw, run: Run): Promise<Problem[]> {
  const fields = Object.fromEntries(Object.entries(news).filter(([name]) => RECORD_FIELDS.includes(name)));
  const cleared = clearOf(fields).filter((name) => !RECORD_FIELDS.includes(name));
  const names = Object.keys(propertiesOf(fields));
  const { types } = await run.known.propertyTypes([...names, ...cleared]);
  const issues = fieldIssues(fields, types);
  const problems = issues.map((issue) => {
    const [top] = issue.path;
    const isOfInput = issue.path.length === 1 && typeof top === 'string' && top !== 'properties';
    return isOfInput ? problem(issue.message, top) : problem(wordFieldIssue(issue));
  });
  for (const name of new Set([...names, ...cleared])) {
    if (issues.some(({ path }) => path[1] === name)) continue;
    const reason = await run.known.propertyProblem(name);
    if (reason !== undefined)
      problems.push(problem(`'${names.includes(name) ? 'properties' : 'clear'}.${name}' ${reason}`));
  }
  const { subscriptionGroups: groups } = fields;
  for (const id of Object.keys(isRecord(groups) ? groups : {})) {
    if (issues.some(({ path }) => path[0] === 'subscriptionGroups')) break;
    const reason = await run.known.groupProblem(id);
    if (reason !== undefined) problems.push(problem(`'subscriptionGroups.${id}' ${reason}`));
  }
  return problems;
}

/** Adds what the contact declares. @returns a problem where another resource declares a different value. */
export function clashProblems(
  known: Parameters<typeof keysOf>[0],
  news: Raw,
  resource: Resource,
  run: Run,
): Problem[] {
  const clash = run.declarations.add(keysOf(known), { resource, values: declaredIn(news) });
  if (clash === undefined) return [];
  const reason = `contact ${nameOf(identityOf(news))} gets two values of '${clash.field}', by ${clash.where} and by ${resource.label}. Keep one of them`;
  return [problem(reason)];
}

function emailProblems(olds: Raw, news: Raw): Problem[] {
  const [from, to] = [textOf(olds['email']), textOf(news['email'])];
  if (from === undefined || to === undefined || isEmail(from, to) || !isAbsent(news['userId'])) return [];
  return [problem(`changes from '${from}'. ${NEEDS_USER_ID}`, 'email')];
}

export const NEEDS_USER_ID =
  "The service changes an email only by the contact's userId: add the 'userId' with the old email first, and change the email in the next run";

async function existenceProblems(news: Raw, resource: Resource, run: Run): Promise<Problem[]> {
  if (IDENTIFIERS.some((name) => holdsUnknown(news[name]))) return [];
  const identity = identityOf(news);
  const found = await run.known.forCheck(`Whether contact ${nameOf(identity)} exists`, (options) =>
    find(identity, run.client, options),
  );
  if (found === undefined) return [];
  if (found.kind === 'refused') return [problem(refusalText(identity, found))];
  if (found.kind === 'none') return absenceProblems(news, run);
  const { contact } = found;
  // A list may declare the contact by its other identifier.
  const clashes = clashProblems(contact, news, resource, run);
  if (clashes.length === 0) sayExists(contact, news, run);
  return clashes;
}

async function absenceProblems(news: Raw, run: Run): Promise<Problem[]> {
  const identity = identityOf(news);
  const event = news['createWithEvent'];
  if (isAbsent(event) || news['subscribed'] === false) {
    const lower = identity.email?.toLowerCase();
    const isThere =
      lower !== undefined && lower !== identity.email && (await lookUp(run.client, lower)) !== undefined;
    return [
      problem(
        isThere
          ? `contact ${nameOf(identity)} does not exist. The service has '${lower}': did you mean that?`
          : absence(identity, news['subscribed'] === false),
      ),
    ];
  }
  const eventName = isRecord(event) ? textOf(event['eventName']) : undefined;
  run.host.reporter.info(
    `Contact ${nameOf(identity)} does not exist. 'pulumi up' sends the event${eventName === undefined ? '' : ` '${eventName}'`}, which creates the contact and starts its automations.`,
  );
  return [];
}

function sayExists(contact: Contact, news: Raw, { host }: Run): void {
  const identity = identityOf(news);
  // A newly declared group is joined.
  const isSet = ([name, value]: [string, Value]): boolean =>
    !hasValue(contact, name, value) || (groupOf(name) !== undefined && value === true);
  const names = Object.entries(valuesOf(onWire(news)))
    .filter(isSet)
    .map(([name]) => name);
  const added = IDENTIFIERS.filter((name) => identity[name] !== undefined && !isGiven(contact[name]));
  const set = names.filter((name) => name !== 'subscribed');
  const overwritten = set.filter((name) => currentValue(contact, name) !== null);
  const effects = [
    ...(added.length + set.length === 0 ? [] : [`sets ${[...added, ...set].join(', ')}`]),
    ...(names.includes('subscribed') ? ['unsubscribes it for good'] : []),
  ];
  const says = effects.length === 0 ? 'it has all declared values' : `'pulumi up' ${effects.join(' and ')}`;
  const lost =
    overwritten.length === 0 ? '' : ` The current value of ${overwritten.join(', ')} will be overwritten.`;
  host.reporter.info(`Contact ${nameOf(identity)} exists already: ${says}.${lost}`);
}

/** What to do where the contact does not exist. */
export function absence(identity: Parameters<typeof nameOf>[0], isOptedOut = false): string {
  const what = `contact ${nameOf(identity)} does not exist in the service`;
  return isOptedOut
    ? `${what}, and no event creates one that is declared 'subscribed: false'. Remove it from the program`
    : `${what}, which has no call that only creates one. Set createWithEvent to create it by an event`;
}
