import { isDeepStrictEqual } from 'node:util';
import { problem, textOf, type Problem } from '../../messages/index.js';
import { hasMoved } from '../address.js';
import type { Behaviour, Made } from '../behaviour.js';
import { ResourceError } from '../errors.js';
import { eventOf, IDENTIFIERS } from '../contact-record/fields.js';
import { keysOf, lookUp, orRefused, refused, resolve, resolveToRead } from '../contact-record/identity.js';
import { upsert, type Upserted } from '../contact-record/upsert.js';
import { differing, effectsOn, valuesOf } from '../contact-record/values.js';
import { holdsUnknown, textsOf, type Raw } from '../raw.js';
import type { Run } from '../run.js';
import { checkContact, knowsOf, notWritten, tellNotJoined, tooEarly } from './check.js';
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
    run.creations.noteState(knowsOf(outs));
    if (holdsUnknown(news)) return { changes: true };
    const mailed = tooEarly(news, outs, labelOf(news, run), run);
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
    const where = labelOf(inputs, run);
    const mailed = tooEarly(inputs, {}, where, run);
    const upserted = await upsert({ identity, values, event, isKnown: false, where }, run);
    if (upserted.kind !== 'written') throw new ResourceError(notWritten(upserted, inputs));
    const { id: written, notJoined } = upserted;
    const id = written ?? (await lookUp(run.client, identity.email ?? identity.userId ?? ''))?.id;
    if (id === undefined)
      throw new ResourceError(notWritten(refused(problem('contact.notShown', {})), inputs));
    tellNotJoined(identity, notJoined, run);
    const outs = stateOf(inputs, notJoined, run);
    run.creations.noteState(knowsOf(outs));
    return madeOrMailed(id, outs, mailed);
  },

  /** A refusal is a warning, and a contact that is gone stays in state: the next run must not create it anew. */
  async read(id, raw, run) {
    const named = identityOf(raw);
    run.creations.noteState(knowsOf(raw));
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
    const where = labelOf(news, run);
    const mailed = tooEarly(news, oldOuts, where, run);
    const changed = differing(declaredIn(news), declaredIn(oldOuts));
    const left = textsOf(oldOuts['left']);
    if (Object.keys(changed).length === 0) {
      const outs = { ...stateOf(news, left, run), ...(oldOuts['gone'] === true && { gone: true }) };
      return madeOrMailed(id, outs, mailed);
    }
    const values = differing(valuesOf(news), valuesOf(oldOuts));
    const known = { id, isKnown: true, moved: Object.keys(changed), where };
    const upserted = await upsert({ identity, values, ...known }, run);
    if (upserted.kind !== 'written') throw updateError(id, oldOuts, news, upserted);
    tellNotJoined(identity, upserted.notJoined, run);
    const outs = stateOf(news, [...left, ...upserted.notJoined], run);
    return madeOrMailed(id, outs, mailed);
  },

  delete(_id, raw, { host }) {
    host.reporter.warn(problem('state.only', { what: 'Contact', name: identityOf(raw) }));
    return Promise.resolve();
  },
};

type NotWritten = Exclude<Upserted, { kind: 'written' }>;

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
  if (found?.kind === 'nobody') throw new ResourceError(notWritten({ kind: 'gone' }, news));
  if (found?.kind === 'refused') throw new ResourceError(notWritten(found, news));
  const values = differing(valuesOf(news), valuesOf(outs));
  if (found !== undefined) tellNotJoined(named, effectsOn(found.contact, values).notJoined, run);
}

/** @throws ResourceError, with the state, where an event came too early. */
function madeOrMailed(id: string, outs: Raw, mailed: readonly Problem[]): Made {
  if (mailed.length > 0) throw new ResourceError(mailed, { id, outs });
  return { id, outs };
}

/** How messages name the `Contact` that declares this. */
function labelOf(inputs: Raw, { declarations }: Run): string {
  const own = declaredIn(inputs);
  const all = declarations.find(keysOf(identityOf(inputs)));
  const found = all.find(
    ({ resource, values }) => resource.key.startsWith('Contact ') && isDeepStrictEqual(values, own),
  );
  return found?.resource.label ?? 'Contact';
}

/** The error of an update, with what state keeps: not what may have been written, and not what is declared no more. */
function updateError(id: string, oldOuts: Raw, news: Raw, end: NotWritten): ResourceError {
  const before = declaredIn(oldOuts);
  // A changed identifier keeps its old value.
  const tried = Object.keys(differing(declaredIn(news), before)).filter(
    (name) => !IDENTIFIERS.some((one) => one === name) || !Object.hasOwn(before, name),
  );
  const lost = [...(end.kind === 'failed' ? tried : []), ...droppedNames(oldOuts, news)];
  const done = lost.length === 0 ? undefined : { id, outs: withoutNames(oldOuts, lost) };
  return new ResourceError(notWritten(end, news), done);
}
