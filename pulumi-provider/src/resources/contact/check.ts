import { canAddress, isRecord } from 'audience-core/internal';
import type { Contact } from 'audience-core';
import { problem, textOf as wordsOf, type Problem } from '../../messages/index.js';
import type { Checked } from '../behaviour.js';
import { tooEarlyProblems } from '../creations.js';
import { locationOf, resourceOf, type Resource } from '../declarations.js';
import {
  clearOf,
  eventProblem,
  fieldProblems as problemsOfFields,
  IDENTIFIERS,
  propertiesOf,
  RECORD_FIELDS,
} from '../contact-record/fields.js';
import { isEmail, isGiven, keysOf, resolve, type Identity } from '../contact-record/identity.js';
import { effectsOn, groupOf, valuesOf } from '../contact-record/values.js';
import { holdsUnknown, textOf, UNKNOWN, unknownInputs, type Raw } from '../raw.js';
import type { Run } from '../run.js';
import { declaredIn, identityOf, INPUT_NAMES, withDatesOnWire, withNormalized } from './state.js';

export async function checkContact(olds: Raw, news: Raw, run: Run): Promise<Checked> {
  const { resource, inputs: all } = resourceOf('Contact', news);
  const given = withNormalized(withoutNullSettings(all));
  const problems = [...shapeProblems(given), ...(await fieldProblems(given, run))];
  const inputs = problems.length === 0 ? await withDatesOnWire(given, run) : given;
  if (problems.length === 0) {
    run.declarations.begin(resource);
    const clashes = clashProblems(identityOf(inputs), inputs, resource, run);
    const optedOut = inputs['subscribed'] === false ? [identityOf(inputs)] : [];
    const tooEarly = run.creations.isWriting ? [] : run.creations.tooEarly(optedOut);
    problems.push(...clashes, ...tooEarlyProblems(tooEarly, resource, run), ...emailProblems(olds, inputs));
  }
  const isNew = IDENTIFIERS.every((name) => olds[name] === undefined);
  if (problems.length === 0 && isNew) problems.push(...(await existenceProblems(inputs, resource, run)));
  return { problems, inputs };
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
  if (IDENTIFIERS.every((name) => isAbsent(news[name]))) problems.push(problem('identity.missing', {}));
  if (isAbsent(news['email']) && isGiven(userId) && !canAddress(userId))
    problems.push(problem('identity.noAddress', {}, 'userId'));
  const event = eventProblem(news['createWithEvent']);
  return [...problems, ...unknownInputs(news, INPUT_NAMES), ...(event === undefined ? [] : [event])];
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

async function fieldProblems(news: Raw, run: Run): Promise<Problem[]> {
  const fields = Object.fromEntries(Object.entries(news).filter(([name]) => RECORD_FIELDS.includes(name)));
  const cleared = clearOf(fields).filter((name) => !RECORD_FIELDS.includes(name));
  const names = Object.keys(propertiesOf(fields));
  const { types } = await run.known.names();
  const found = problemsOfFields(fields, types);
  const problems = [...found.values()];
  const add = (one: Problem | undefined): void => {
    if (one !== undefined) problems.push(one);
  };
  for (const name of new Set([...names, ...cleared])) {
    if (found.has(`properties.${name}`)) continue;
    const of = names.includes(name) ? 'properties' : 'clear';
    add(await run.known.propertyProblem(name, of));
  }
  const { subscriptionGroups: groups } = fields;
  if ([...found.keys()].some((path) => path.startsWith('subscriptionGroups'))) return problems;
  for (const id of Object.keys(isRecord(groups) ? groups : {})) add(await run.known.groupProblem(id));
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
  return [problem('contact.twoValues', { contact: identityOf(news), ...clash, other: resource.label })];
}

/** An email changes by the userId that state has. */
function emailProblems(olds: Raw, news: Raw): Problem[] {
  const [from, to] = [textOf(olds['email']), textOf(news['email'])];
  if (from === undefined || to === undefined || isEmail(from, to)) return [];
  const isKept = !isAbsent(olds['userId']) && olds['userId'] === news['userId'];
  return isKept || news['userId'] === UNKNOWN ? [] : [problem('identity.needsUserId', {}, 'email')];
}

async function existenceProblems(news: Raw, resource: Resource, run: Run): Promise<Problem[]> {
  if (IDENTIFIERS.some((name) => holdsUnknown(news[name]))) return [];
  const contact = identityOf(news);
  const found = await run.known.forCheck('Which contacts exist', (options) =>
    resolve(contact, run.client, {}, options),
  );
  const refused = (why: Problem): Problem[] => [problem('contact.refused', { contact, why: wordsOf(why) })];
  switch (found?.kind) {
    case undefined:
      return [];
    case 'refused':
      return refused(found.problem);
    case 'nobody': {
      const { createWithEvent: event } = news;
      if (news['subscribed'] === false) return [problem('contact.optedOut', { contact })];
      if (isAbsent(event)) return refused(problem('contact.missing', {}));
      const refusal = run.creations.announce({ identity: contact, where: resource.label });
      if (refusal?.kind === 'known') return [problem('contact.goneChanged', { contact })];
      if (refusal?.kind === 'optedOut')
        return refused(problem('contact.optedOutBy', { by: locationOf(refusal.by) }));
      const eventName = (isRecord(event) ? textOf(event['eventName']) : undefined) ?? '';
      run.host.reporter.info(problem('contact.createdByEvent', { contact, event: eventName }));
      return [];
    }
    case 'found': {
      // A list may declare the contact by its other identifier.
      const clashes = clashProblems(found.contact, news, resource, run);
      if (clashes.length === 0) sayExists(found.contact, Object.keys(found.lacks), news, run);
      return clashes;
    }
  }
}

function sayExists(current: Contact, added: readonly string[], news: Raw, run: Run): void {
  const [contact, values] = [identityOf(news), valuesOf(news)];
  const { sets, overwrites, joins, notJoined } = effectsOn(current, values);
  const leaves = Object.keys(values).flatMap((name) => (values[name] === false ? (groupOf(name) ?? []) : []));
  const isUnsubscribed = values['subscribed'] === false && current.subscribed !== false;
  run.host.reporter.info(
    problem('contact.exists', {
      ...{ contact, sets: [...added, ...sets], joins, leaves, isUnsubscribed, overwrites },
    }),
  );
  tellNotJoined(contact, notJoined, run);
}

export function tellNotJoined(contact: Identity, groups: readonly string[], { host }: Run): void {
  if (groups.length > 0) host.reporter.warn(problem('contact.mayHaveLeft', { contact, groups }));
}
