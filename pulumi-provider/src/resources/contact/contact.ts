import { isDeepStrictEqual } from 'node:util';
import type { AudienceError } from 'audience-core';
import { problem, textOf, type Problem } from '../../messages/index.js';
import { hasMoved } from '../address.js';
import type { Behaviour } from '../behaviour.js';
import { tooEarlyProblems } from '../creations.js';
import type { Declaration } from '../declarations.js';
import { ResourceError } from '../errors.js';
import { eventOf, IDENTIFIERS } from '../contact-record/fields.js';
import {
  keysOf,
  lookUp,
  orRefused,
  resolve,
  resolveToRead,
  type Identity,
} from '../contact-record/identity.js';
import { upsert, type Upserted } from '../contact-record/upsert.js';
import { differing, effectsOn, valuesOf } from '../contact-record/values.js';
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
    noteState(id, outs, run);
    if (holdsUnknown(news)) return { changes: true };
    assertNoClash(id, news, run);
    const mailed = tooEarlyFor(news, outs, run);
    if (mailed.length > 0 && !run.creations.isWriting) throw new ResourceError(mailed);
    const contact = identityOf(news);
    const names = droppedNames(outs, news);
    if (names.length > 0) reporter.info(problem('contact.dropped', { contact, names }));
    if (outs['gone'] === true) reporter.warn(problem('contact.gone', { contact }));
    await planUpdate(id, outs, news, run);
    const changes = isMoved || mailed.length > 0 || !isDeepStrictEqual(declaredIn(outs), declaredIn(news));
    return { changes };
  },

  async create(inputs, run) {
    const [identity, values, event] = [identityOf(inputs), valuesOf(inputs), eventOf(inputs)];
    const mailed = tooEarlyFor(inputs, {}, run);
    const where = labelOf(inputs, run);
    const upserted = await upsert({ identity, values, event, isKnown: false, where }, run);
    if (upserted.kind !== 'written') throw errorOf(upserted, inputs);
    const { id: written, notJoined } = upserted;
    const id = written ?? (await lookUp(run.client, identity.email ?? identity.userId ?? ''))?.id;
    if (id === undefined) throw refusalOf(identity, problem('contact.notShown', {}));
    assertNoClash(id, inputs, run);
    tellNotJoined(identity, notJoined, run);
    const outs = stateOf(inputs, notJoined, run);
    noteState(id, outs, run);
    if (mailed.length > 0) throw new ResourceError(mailed, { id, outs });
    return { id, outs };
  },

  /** A refusal is a warning, and a contact that is gone stays in state: the next run must not create it anew. */
  async read(id, raw, run) {
    const named = identityOf(raw);
    noteState(id, raw, run);
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
    if (found === undefined) {
      run.host.reporter.warn(problem('contact.importedBy', { name }));
      return undefined;
    }
    const custom = await run.client.properties.list({ list: 'custom' });
    return { id: found.id, outs: stateOf(declarableOf(found, custom), [], run) };
  },

  /** Where it fails, state loses what may have been written, and what is no longer declared. */
  async update(id, oldOuts, news, run) {
    const identity = identityOf(news);
    const mailed = tooEarlyFor(news, oldOuts, run);
    const changed = differing(declaredIn(news), declaredIn(oldOuts));
    const left = textsOf(oldOuts['left']);
    if (Object.keys(changed).length === 0) {
      const outs = { ...stateOf(news, left, run), ...(oldOuts['gone'] === true && { gone: true }) };
      if (mailed.length > 0) throw new ResourceError(mailed, { id, outs });
      return { outs };
    }
    const values = differing(valuesOf(news), valuesOf(oldOuts));
    const known = { id, isKnown: true, moved: Object.keys(changed), where: labelOf(news, run) };
    const upserted = await upsert({ identity, values, ...known }, run);
    if (upserted.kind !== 'written') throw updateError(id, oldOuts, news, upserted);
    tellNotJoined(identity, upserted.notJoined, run);
    const outs = stateOf(news, [...left, ...upserted.notJoined], run);
    if (mailed.length > 0) throw new ResourceError(mailed, { id, outs });
    return { outs };
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

/** Looks up what an update will do. @throws ResourceError where it would fail. */
async function planUpdate(id: string, outs: Raw, news: Raw, run: Run): Promise<void> {
  const changed = differing(declaredIn(news), declaredIn(outs));
  if (Object.keys(changed).length === 0) return;
  const named = identityOf(news);
  const known = { id, moved: Object.keys(changed) };
  const found = await run.known.forCheck('Which contacts exist', (options) =>
    orRefused(resolve(named, run.client, known, options)),
  );
  if (found?.kind === 'nobody') throw new ResourceError(problem('contact.goneChanged', { contact: named }));
  if (found?.kind === 'refused') throw refusalOf(named, found.problem);
  const values = differing(valuesOf(news), valuesOf(outs));
  if (found !== undefined) tellNotJoined(named, effectsOn(found.contact, values).notJoined, run);
}

/** Notes whom a state knows. */
function noteState(id: string, outs: Raw, { creations }: Run): void {
  const keys = keysOf(identityOf(outs));
  creations.noteState(id, (identity) => keysOf(identity).some((key) => keys.includes(key)));
}

/** Events for this contact that came before its opt-out or its state was known. */
function tooEarlyFor(news: Raw, outs: Raw, run: Run): Problem[] {
  const identity = identityOf(news);
  const keys = keysOf(identityOf(outs));
  const optedOut = news['subscribed'] === false ? [identity] : [];
  const events = run.creations.tooEarly(optedOut, (other) => keysOf(other).some((key) => keys.includes(key)));
  return tooEarlyProblems(events, { label: labelOf(news, run) }, run);
}

function labelOf(inputs: Raw, run: Run): string {
  return ownDeclaration(inputs, run)?.resource.label ?? 'Contact';
}

/** Why a contact was not written: our error, or the core's. */
function errorOf(
  upserted: Exclude<Upserted, { kind: 'written' }>,
  inputs: Raw,
): ResourceError | AudienceError {
  const contact = identityOf(inputs);
  switch (upserted.kind) {
    case 'gone':
      return new ResourceError(problem('contact.goneChanged', { contact }));
    case 'nobody':
      return inputs['subscribed'] === false
        ? new ResourceError(problem('contact.optedOut', { contact }))
        : refusalOf(contact, problem('contact.missing', {}));
    case 'notCreated':
      return refusalOf(contact, problem('contact.optedOutBy', { by: upserted.by }));
    case 'refused':
      return refusalOf(contact, upserted.problem);
    case 'failed':
      return upserted.problem.code === 'service.failed'
        ? upserted.error
        : refusalOf(contact, upserted.problem);
  }
}

/** The error of an update, with what state keeps: not what may have been written, and not what is declared no more. */
function updateError(
  id: string,
  oldOuts: Raw,
  news: Raw,
  upserted: Exclude<Upserted, { kind: 'written' }>,
): Error {
  const before = declaredIn(oldOuts);
  const isUnclear = upserted.kind === 'failed' && upserted.error.unclear;
  // A changed identifier keeps its old value.
  const tried = Object.keys(differing(declaredIn(news), before)).filter(
    (name) => !IDENTIFIERS.some((one) => one === name) || !Object.hasOwn(before, name),
  );
  const lost = [...(isUnclear ? tried : []), ...droppedNames(oldOuts, news)];
  const error = errorOf(upserted, news);
  if (lost.length === 0) return error;
  const reasons = error instanceof ResourceError ? error.reasons : error;
  return new ResourceError(reasons, { id, outs: withoutNames(oldOuts, lost) });
}

function refusalOf(contact: Identity, why: Problem): ResourceError {
  return new ResourceError(problem('contact.refused', { contact, why: textOf(why) }));
}

/** @throws ResourceError where another resource declares different values. */
function assertNoClash(id: string, news: Raw, run: Run): void {
  const own = ownDeclaration(news, run);
  if (own === undefined) return;
  const [clash] = clashProblems({ id }, news, own.resource, run);
  if (clash !== undefined) throw new ResourceError(clash);
}

/** What the check of a `Contact` with these identifiers has declared. */
function ownDeclaration(inputs: Raw, { declarations }: Run): Declaration | undefined {
  const all = declarations.find(keysOf(identityOf(inputs)));
  return all.find(({ resource }) => resource.key.startsWith('Contact '));
}
