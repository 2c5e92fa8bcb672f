import { canAddress, isRecord } from 'audience-core/internal';
import type { Contact } from 'audience-core';
import { problem, textOf as wordsOf, type Problem } from '../../messages/index.js';
import type { Checked } from '../behaviour.js';
import type { Knows } from '../creations.js';
import { resourceOf, type Resource } from '../declarations.js';
import {
  eventProblem,
  fieldProblems as problemsOfFields,
  IDENTIFIERS,
  RECORD_FIELDS,
} from '../contact-record/fields.js';
import { isEmail, isGiven, keysOf, resolve, type Identity } from '../contact-record/identity.js';
import type { Upserted } from '../contact-record/upsert.js';
import { effectsOn, groupOf, valuesOf } from '../contact-record/values.js';
import type { KnownNames } from '../known-service.js';
import { holdsUnknown, textOf, UNKNOWN, unknownInputs, type Raw } from '../raw.js';
import type { Run } from '../run.js';
import { declaredIn, identityOf, INPUT_NAMES, withDatesOnWire } from './state.js';

export async function checkContact(olds: Raw, news: Raw, run: Run): Promise<Checked> {
  const { resource, inputs: all } = resourceOf('Contact', news);
  const given = withoutNullSettings(all);
  const known = await run.known.names();
  const problems = [...shapeProblems(given), ...(await fieldProblems(given, known))];
  const inputs = problems.length === 0 ? withDatesOnWire(given, known) : given;
  if (problems.length === 0) {
    tooEarly(inputs, {}, resource.label, run);
    problems.push(...clashProblems(inputs, resource, run), ...emailProblems(olds, inputs));
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

async function fieldProblems(news: Raw, known: KnownNames): Promise<readonly Problem[]> {
  const fields = Object.fromEntries(Object.entries(news).filter(([name]) => RECORD_FIELDS.includes(name)));
  const { subscriptionGroups: groups } = fields;
  const ids = Object.keys(isRecord(groups) ? groups : {});
  return [...problemsOfFields(fields, known), ...((await known.groupProblems?.(ids)) ?? [])];
}

/** Adds what the contact declares. @returns a problem where another resource declares a different value. */
function clashProblems(news: Raw, resource: Resource, run: Run): Problem[] {
  const contact = identityOf(news);
  const clash = run.declarations.add(keysOf(contact), { resource, values: declaredIn(news) });
  return clash === undefined
    ? []
    : [problem('contact.twoValues', { contact, ...clash, other: resource.label })];
}

/** Whom a state knows. */
export function knowsOf(outs: Raw): Knows {
  const keys = keysOf(identityOf(outs));
  return (identity) => keysOf(identity).some((key) => keys.includes(key));
}

/** Events for this contact that came before its opt-out or its state was known. @throws ResourceError at preview. */
export function tooEarly(news: Raw, outs: Raw, label: string, { creations }: Run): Problem[] {
  const optedOut = news['subscribed'] === false ? [identityOf(news)] : [];
  return creations.tooEarly(optedOut, knowsOf(outs), label);
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
  switch (found?.kind) {
    case undefined:
      return [];
    case 'refused':
      return [notWritten(found, news)];
    case 'nobody': {
      const { createWithEvent: event } = news;
      if (news['subscribed'] === false || isAbsent(event)) return [notWritten(found, news)];
      const refusal = run.creations.announce({ identity: contact, where: resource.label });
      if (refusal !== undefined && refusal.kind !== 'sent') return [notWritten(refusal, news)];
      const eventName = (isRecord(event) ? textOf(event['eventName']) : undefined) ?? '';
      run.host.reporter.info(problem('contact.createdByEvent', { contact, event: eventName }));
      return [];
    }
    case 'found':
      sayExists(found.contact, Object.keys(found.lacks), news, run);
      return [];
  }
}

/** Why a contact is not written. */
export function notWritten(end: Exclude<Upserted, { kind: 'written' }>, inputs: Raw): Problem {
  const contact = identityOf(inputs);
  const refused = (why: Problem): Problem => problem('contact.refused', { contact, why: wordsOf(why) });
  switch (end.kind) {
    case 'gone':
      return problem('contact.goneChanged', { contact });
    case 'nobody':
      return inputs['subscribed'] === false
        ? problem('contact.optedOut', { contact })
        : refused(problem('contact.missing', {}));
    case 'notCreated':
      return refused(problem('contact.optedOutBy', { by: end.by }));
    case 'refused':
    case 'failed':
      return refused(end.problem);
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
