import { isDeepStrictEqual } from 'node:util';
import { AudienceError } from 'audience-core';
import { problem, textOf, type Problem } from '../../messages/index.js';
import type { Behaviour } from '../behaviour.js';
import { ResourceError } from '../errors.js';
import { eventOf, IDENTIFIERS } from '../contact-record/fields.js';
import { keysOf, lookUp, resolve, resolveToRead, type Identity } from '../contact-record/identity.js';
import { codeOf, newMark, rejoinedGroups } from '../contact-record/rejoin.js';
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
  withCurrent,
  withoutNames,
} from './state.js';

/** One contact, identified in state by the service's id. */
export const contact: Behaviour = {
  schema: inputsSchema,

  check: checkContact,

  async diff(id, outs, news, run) {
    if (holdsUnknown(news)) return { changes: true };
    const [before, after] = [declaredIn(outs), declaredIn(news)];
    assertNoClash(id, news, run);
    const names = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
    const { reporter } = run.host;
    if (names.length > 0) reporter.info(problem('contact.dropped', { contact: identityOf(news), names }));
    const changes = !isDeepStrictEqual(before, after) || rejoinsOf(outs, run).length > 0;
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
    return { id, outs: withMarks(inputs, newMarks(identity, notJoined, run)) };
  },

  /** A refusal is a warning, and a contact that is gone stays in state: the next run must not create it anew. */
  async read(id, raw, run) {
    const named = identityOf(raw);
    const { reporter } = run.host;
    const found = await resolveToRead(named, run.client, { id });
    if (found.kind === 'found') return { id, outs: withCurrent(raw, found.contact) };
    const isGone = found.kind === 'nobody';
    if (isGone) reporter.warn(problem('contact.gone', { contact: named }));
    else reporter.warn(problem('contact.notRead', { contact: named, why: textOf(found.problem) }));
    return { id, outs: isGone ? { ...raw, gone: true } : raw };
  },

  async import(name, { client }) {
    const found = await lookUp(client, name);
    if (found === undefined) return undefined;
    const custom = await client.properties.list({ list: 'custom' });
    return { id: found.id, outs: declarableOf(found, custom) };
  },

  /** @throws ResourceError where a write may have been carried out: state forgets the values. */
  async update(id, oldOuts, news, run) {
    const [before, identity] = [declaredIn(oldOuts), identityOf(news)];
    const changed = differing(declaredIn(news), before);
    const rejoins = rejoinsOf(oldOuts, run);
    const kept = new Map([...marksOf(oldOuts)].filter(([group]) => !rejoins.includes(group)));
    if (Object.keys(changed).length + rejoins.length === 0) return { outs: withMarks(news, kept) };
    const values = {
      ...differing(valuesOf(news), valuesOf(oldOuts)),
      ...Object.fromEntries(rejoins.map((group) => [groupName(group), true])),
    };
    try {
      const known = { id, isKnown: true, moved: Object.keys(changed) };
      const upserted = await upsert({ identity, values, rejoins, ...known }, run);
      const { notJoined } = assertWritten(upserted, identity, 'contact.goneChanged');
      const marks = newMarks(identity, notJoined, run);
      return { outs: withMarks(news, new Map([...kept, ...marks])) };
    } catch (error) {
      if (!(error instanceof AudienceError) || !error.unclear) throw error;
      // State keeps the old value of a changed identifier.
      const tried = Object.keys(changed).filter(
        (name) => !IDENTIFIERS.some((known) => known === name) || !Object.hasOwn(before, name),
      );
      throw new ResourceError(error.message, { id, outs: withoutNames(oldOuts, tried) });
    }
  },

  delete(_id, raw, { host }) {
    host.reporter.warn(problem('state.only', { what: 'Contact', name: identityOf(raw) }));
    return Promise.resolve();
  },
};

function rejoinsOf(outs: Raw, { rejoinCodes }: Run): string[] {
  return rejoinedGroups(marksOf(outs), rejoinCodes);
}

/** Marks groups that the contact may have left, and tells the person the code that adds it. */
function newMarks(contact: Identity, groups: readonly string[], { host }: Run): ReturnType<typeof marksOf> {
  const marks = new Map(groups.map((group) => [group, [newMark()]]));
  const codes = [...marks].map(([group, all]) => codeOf(group, all)).join(',');
  if (marks.size > 0) host.reporter.warn(problem('contact.notJoined', { contact, groups, codes }));
  return marks;
}

/** State with the marks of groups that are still declared `true`. */
function withMarks(inputs: Raw, all: ReturnType<typeof marksOf>): Raw {
  const marks = joinsOf(valuesOf(inputs)).flatMap((group) => {
    const [mark] = all.get(group) ?? [];
    return mark === undefined ? [] : [[group, mark]];
  });
  return marks.length === 0 ? inputs : { ...inputs, marks: Object.fromEntries(marks) };
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
