import { isDeepStrictEqual } from 'node:util';
import { AudienceError } from 'audience-core';
import { problem, textOf, type Problem } from '../../messages/index.js';
import { hasMoved } from '../address.js';
import type { Behaviour } from '../behaviour.js';
import { ResourceError } from '../errors.js';
import { eventOf, IDENTIFIERS } from '../contact-record/fields.js';
import { keysOf, lookUp, resolve, resolveToRead, type Identity } from '../contact-record/identity.js';
import { upsert, type Upserted } from '../contact-record/upsert.js';
import { differing, effectsOn, joinsOf, valuesOf } from '../contact-record/values.js';
import { holdsUnknown, textsOf, type Raw } from '../raw.js';
import type { Run } from '../run.js';
import { checkContact, clashProblems, tellNotJoined } from './check.js';
import {
  declarableOf,
  declaredIn,
  identityOf,
  inputsSchema,
  stateOf,
  withCurrent,
  withoutNames,
} from './state.js';

/** One contact, identified in state by the service's id. */
export const contact: Behaviour = {
  schema: inputsSchema,

  check: checkContact,

  async diff(id, outs, news, run) {
    const { reporter } = run.host;
    const isMoved = hasMoved(outs['address'], run);
    if (holdsUnknown(news)) return { changes: true };
    const [before, after] = [declaredIn(outs), declaredIn(news)];
    assertNoClash(id, news, run);
    const names = droppedNames(outs, news);
    if (names.length > 0) reporter.info(problem('contact.dropped', { contact: identityOf(news), names }));
    const changes = isMoved || !isDeepStrictEqual(before, after);
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
    tellNotJoined(identity, notJoined, run);
    return { id, outs: stateOf(inputs, notJoined, run) };
  },

  /** A refusal is a warning, and a contact that is gone stays in state: the next run must not create it anew. */
  async read(id, raw, run) {
    const named = identityOf(raw);
    const { reporter } = run.host;
    hasMoved(raw['address'], run);
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
    return { id: found.id, outs: stateOf(declarableOf(found, custom), [], run) };
  },

  /** Where it fails, state loses what may have been written, and what is no longer declared. */
  async update(id, oldOuts, news, run) {
    const [before, identity] = [declaredIn(oldOuts), identityOf(news)];
    const changed = differing(declaredIn(news), before);
    const left = textsOf(oldOuts['left']);
    if (Object.keys(changed).length === 0) return { outs: stateOf(news, left, run) };
    const values = differing(valuesOf(news), valuesOf(oldOuts));
    try {
      const known = { id, isKnown: true, moved: Object.keys(changed) };
      const upserted = await upsert({ identity, values, ...known }, run);
      const { notJoined } = assertWritten(upserted, identity, 'contact.goneChanged');
      tellNotJoined(identity, notJoined, run);
      return { outs: stateOf(news, [...left, ...notJoined], run) };
    } catch (error) {
      const isRefusal = error instanceof ResourceError;
      if (!isRefusal && !(error instanceof AudienceError)) throw error;
      // A changed identifier keeps its old value.
      const tried = Object.keys(changed).filter(
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
