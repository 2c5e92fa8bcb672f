import { isDeepStrictEqual } from 'node:util';
import { AudienceError } from 'audience-core';
import { problem, textOf, type Problem } from '../../messages/index.js';
import type { Behaviour } from '../behaviour.js';
import { ResourceError } from '../errors.js';
import { eventOf, IDENTIFIERS } from '../contact-record/fields.js';
import { keysOf, lookUp, resolve, resolveToRead, type Identity } from '../contact-record/identity.js';
import { codeOf, newMark, rejoinedGroups, type Marks } from '../contact-record/rejoin.js';
import { upsert, type Upserted } from '../contact-record/upsert.js';
import { differing, effectsOn, groupName, joinsOf, valuesOf } from '../contact-record/values.js';
import { holdsUnknown, type Raw } from '../raw.js';
import type { Run } from '../run.js';
import { checkContact, clashProblems, tellNotJoined } from './check.js';
import {
  declarableOf,
  declaredIn,
  identityOf,
  inputsSchema,
  marksOf,
  serviceOf,
  withCurrent,
  withoutNames,
} from './state.js';

/** One contact, identified in state by the service's id. */
export const contact: Behaviour = {
  schema: inputsSchema,

  check: checkContact,

  async diff(id, outs, news, run) {
    const { reporter } = run.host;
    if (isElsewhere(outs, run)) {
      reporter.warn(problem('contact.otherService', { contact: identityOf(outs) }));
      return { changes: true, replaces: ['service'] };
    }
    if (holdsUnknown(news)) return { changes: true };
    const [before, after] = [declaredIn(outs), declaredIn(news)];
    assertNoClash(id, news, run);
    const names = droppedNames(outs, news);
    if (names.length > 0) reporter.info(problem('contact.dropped', { contact: identityOf(news), names }));
    const rejoins = rejoinsOf(outs, news, run);
    const changes = !isDeepStrictEqual(before, after) || rejoins.length > 0;
    const joins = joinsOf(valuesOf(news)).filter((group) => !rejoins.includes(group));
    const left = [...marksOf(outs)].filter(([group]) => joins.includes(group));
    tellMarks(identityOf(news), new Map(left), run);
    run.tellUnfitCodes(identityOf(news), marksOf(outs));
    await planGroups(id, outs, news, run);
    if (outs['gone'] === true)
      reporter.warn(problem(changes ? 'contact.goneChanged' : 'contact.gone', { contact: identityOf(news) }));
    return { changes };
  },

  async create(inputs, run) {
    const [identity, values, event] = [identityOf(inputs), valuesOf(inputs), eventOf(inputs)];
    const upserted = await upsert({ identity, values, event, isKnown: false }, run);
    const { id: written, notJoined } = assertWritten(upserted, identity, 'contact.optedOut');
    const id = written ?? (await lookUp(run.client, identity.email ?? identity.userId ?? ''))?.id;
    if (id === undefined) throw refusalOf(identity, problem('contact.notShown', {}));
    assertNoClash(id, inputs, run);
    return { id, outs: stateOf(inputs, newMarks(identity, notJoined, run), run) };
  },

  /** A refusal is a warning, and a contact that is gone stays in state: the next run must not create it anew. */
  async read(id, raw, run) {
    const named = identityOf(raw);
    const { reporter } = run.host;
    if (isElsewhere(raw, run)) {
      reporter.warn(problem('contact.otherService', { contact: named }));
      return { id, outs: raw };
    }
    const found = await resolveToRead(named, run.client, { id });
    if (found.kind === 'found') return { id, outs: withCurrent(raw, found.contact) };
    const isGone = found.kind === 'nobody';
    if (isGone) reporter.warn(problem('contact.gone', { contact: named }));
    else reporter.warn(problem('contact.notRead', { contact: named, why: textOf(found.problem) }));
    return { id, outs: isGone ? { ...raw, gone: true } : raw };
  },

  async import(name, run) {
    const found = await lookUp(run.client, name);
    if (found === undefined) return undefined;
    const custom = await run.client.properties.list({ list: 'custom' });
    return { id: found.id, outs: stateOf(declarableOf(found, custom), new Map(), run) };
  },

  /** Where it fails, state loses what may have been written, and what is no longer declared. */
  async update(id, oldOuts, news, run) {
    const [before, identity] = [declaredIn(oldOuts), identityOf(news)];
    const changed = differing(declaredIn(news), before);
    const rejoins = rejoinsOf(oldOuts, news, run);
    const kept = new Map([...marksOf(oldOuts)].filter(([group]) => !rejoins.includes(group)));
    if (Object.keys(changed).length + rejoins.length === 0) return { outs: stateOf(news, kept, run) };
    const values = {
      ...differing(valuesOf(news), valuesOf(oldOuts)),
      ...Object.fromEntries(rejoins.map((group) => [groupName(group), true])),
    };
    try {
      const known = { id, isKnown: true, moved: Object.keys(changed) };
      const upserted = await upsert({ identity, values, rejoins, ...known }, run);
      const { notJoined } = assertWritten(upserted, identity, 'contact.goneChanged');
      const marks = newMarks(identity, notJoined, run);
      return { outs: stateOf(news, new Map([...kept, ...marks]), run) };
    } catch (error) {
      const isRefusal = error instanceof ResourceError;
      if (!isRefusal && !(error instanceof AudienceError)) throw error;
      // A changed identifier keeps its old value.
      const tried = [...Object.keys(changed), ...rejoins.map(groupName)].filter(
        (name) => !IDENTIFIERS.some((one) => one === name) || !Object.hasOwn(before, name),
      );
      const lost = [...(!isRefusal && error.unclear ? tried : []), ...droppedNames(oldOuts, news)];
      if (lost.length === 0) throw error;
      throw new ResourceError(isRefusal ? error.reasons : error, { id, outs: withoutNames(oldOuts, lost) });
    }
  },

  delete(_id, raw, { host }) {
    host.reporter.warn(problem('state.only', { what: 'Contact', name: identityOf(raw) }));
    return Promise.resolve();
  },
};

/** Marked groups that the program still declares `true`, and that a code of this run joins. */
function rejoinsOf(outs: Raw, news: Raw, { rejoinCodes }: Run): string[] {
  const joins = joinsOf(valuesOf(news));
  return rejoinedGroups(marksOf(outs), rejoinCodes).filter((group) => joins.includes(group));
}

/** Marks groups that the contact may have left, and reports the code that adds it. */
function newMarks(contact: Identity, groups: readonly string[], run: Run): Marks {
  const marks: Marks = new Map(groups.map((group) => [group, [newMark()]]));
  tellMarks(contact, marks, run);
  return marks;
}

function tellMarks(contact: Identity, marks: Marks, { host }: Run): void {
  const groups = [...marks.keys()];
  const codes = [...marks].map(([group, all]) => codeOf(group, all)).join(',');
  if (marks.size > 0) host.reporter.warn(problem('contact.notJoined', { contact, groups, codes }));
}

/** The declared values, with the service and the marks of groups that are still declared `true`. */
function stateOf(inputs: Raw, all: Marks, run: Run): Raw {
  const marks = joinsOf(valuesOf(inputs)).flatMap((group) => {
    const [mark] = all.get(group) ?? [];
    return mark === undefined ? [] : [[group, mark]];
  });
  const service = serviceOf(run);
  return { ...inputs, service, ...(marks.length > 0 && { marks: Object.fromEntries(marks) }) };
}

/** Whether state is of another service, where the contact has another id. */
function isElsewhere(outs: Raw, run: Run): boolean {
  return outs['service'] !== serviceOf(run);
}

/** What state has, and the program no longer declares. */
function droppedNames(outs: Raw, news: Raw): string[] {
  const after = declaredIn(news);
  return Object.keys(declaredIn(outs)).filter((name) => !Object.hasOwn(after, name));
}

async function planGroups(id: string, outs: Raw, news: Raw, run: Run): Promise<void> {
  const values = differing(valuesOf(news), valuesOf(outs));
  if (joinsOf(values).length === 0) return;
  const named = identityOf(news);
  const found = await run.known.forCheck(named, (options) => resolve(named, run.client, { id }, options));
  if (found?.kind === 'found') tellNotJoined(named, effectsOn(found.contact, values).notJoined, run);
}

/** @throws ResourceError where the contact was not written; `nobody` is why, where it does not exist. */
function assertWritten(
  upserted: Upserted,
  named: Identity,
  nobody: 'contact.optedOut' | 'contact.goneChanged',
): Extract<Upserted, { kind: 'written' }> {
  if (upserted.kind === 'nobody') throw new ResourceError(problem(nobody, { contact: named }));
  if (upserted.kind === 'refused') throw upserted.error ?? refusalOf(named, upserted.problem);
  return upserted;
}

function refusalOf(contact: Identity, why: Problem): ResourceError {
  return new ResourceError(problem('contact.refused', { contact, why: textOf(why) }));
}

/** @throws ResourceError where another resource declares different values. */
function assertNoClash(id: string, news: Raw, run: Run): void {
  const own = run.declarations
    .find(keysOf(identityOf(news)))
    .find(({ resource }) => resource.key.startsWith('Contact '));
  if (own === undefined) return;
  const [clash] = clashProblems({ id }, news, own.resource, run);
  if (clash !== undefined) throw new ResourceError(clash);
}
