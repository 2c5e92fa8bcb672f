import { isDeepStrictEqual } from 'node:util';
import { canAddress } from 'audience-core/internal';
import { AudienceError } from 'audience-core';
import type { Contact } from 'audience-core';
import type { Behaviour } from '../behaviour.js';
import { PartialFailure, ResourceError } from '../errors.js';
import { eventOf } from '../contact-record/creation-event.js';
import { IDENTIFIERS, onWire } from '../contact-record/fields.js';
import {
  belongsToOther,
  isEmail,
  isGiven,
  keysOf,
  nameOf,
  notFree,
  otherIdentifier,
  refusalText,
} from '../contact-record/identity.js';
import type { Identity } from '../contact-record/identity.js';
import { assertResponds, lookUp, update } from '../contact-record/service-contacts.js';
import { upsertNew } from '../contact-record/upsert-new.js';
import type { EventState } from '../contact-record/upsert-new.js';
import { changesOf, differing, valuesOf } from '../contact-record/values.js';
import type { Changes, Values } from '../contact-record/values.js';
import { holdsUnknown } from '../raw.js';
import type { Raw } from '../raw.js';
import type { Run } from '../run.js';
import { sentence } from '../words.js';
import { absence, checkContact, clashProblems, NEEDS_USER_ID } from './check.js';
import { declarableOf, declaredIn, identityOf, inputsSchema, withCurrent, withoutNames } from './state.js';

/** One contact, identified in state by the service's id. */
export const contact: Behaviour = {
  schema: inputsSchema,

  check: checkContact,

  diff(id, outs, news, run) {
    if (holdsUnknown(news)) return Promise.resolve({ changes: true });
    const [before, after] = [declaredIn(outs), declaredIn(onWire(news))];
    assertNoClash(id, news, run);
    const dropped = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
    if (dropped.length > 0) {
      run.host.reporter.info(
        `Contact ${nameOf(identityOf(news))}: ${dropped.map((name) => `${name}: no longer managed, value kept`).join('; ')}.`,
      );
    }
    return Promise.resolve({ changes: !isDeepStrictEqual(before, after) });
  },

  async create(raw, run) {
    const inputs = onWire(raw);
    const [identity, values] = [identityOf(inputs), valuesOf(inputs)];
    const event = eventOf(inputs);
    const name = nameOf(identity);
    const upserted = await upsertNew({ identity, values, event, isKnown: false }, run);
    switch (upserted.kind) {
      case 'written': {
        const id = upserted.id ?? (await lookUp(run.client, identity.email ?? identity.userId ?? ''))?.id;
        if (id === undefined) {
          throw new ResourceError(
            `Contact ${name} has the declared values, but the service does not show it yet. Run 'pulumi up' again in a minute.`,
          );
        }
        assertNoClash(id, inputs, run);
        return { id, outs: inputs };
      }
      case 'refused':
        throw new ResourceError(sentence(refusalText(identity, upserted)));
      case 'none':
        throw new ResourceError(sentence(absence(identity, upserted.why === 'opted out')));
      case 'not shown':
        throw upserted.error ?? new ResourceError(notShown(name, event?.eventName ?? '', upserted.event));
    }
  },

  async read(id, raw, run) {
    const identity = identityOf(raw);
    const located = await locate(id, [identity], run);
    if (located.contact !== undefined) return { id, outs: withCurrent(raw, located.contact) };
    await assertResponds(run.client);
    run.host.reporter.warn(
      `${lostText(identity, id, located.other)} It was removed from Pulumi's state: remove it from the program, or the next 'pulumi up' looks for it again.`,
    );
    return undefined;
  },

  async import(name, { client }) {
    const found = await lookUp(client, name);
    if (found === undefined) {
      await assertResponds(client);
      return undefined;
    }
    const custom = await client.properties.list({ list: 'custom' });
    const inputs = declarableOf(found, custom, 'program');
    return { id: found.id, outs: declarableOf(found, custom, 'state'), inputs };
  },

  /** @throws PartialFailure where a write may have been carried out: state forgets the values. */
  async update(id, oldOuts, raw, run) {
    const news = onWire(raw);
    const [before, identity] = [declaredIn(oldOuts), identityOf(news)];
    const changed = differing(declaredIn(news), before);
    if (Object.keys(changed).length === 0) return { outs: news };
    const located = await locate(id, [identity, identityOf(oldOuts)], run);
    if (located.contact === undefined) {
      await assertResponds(run.client);
      throw new ResourceError(
        `${lostText(identity, id, located.other)} No contact was changed. Run 'pulumi refresh', or correct its email or userId.`,
      );
    }
    const { address, changes } = await identifierChanges(located.contact, changed, identity, run);
    const values = changesOf(differing(valuesOf(news), valuesOf(oldOuts)));
    try {
      if ((await update(run.client, address, { ...changes, ...values })) === undefined)
        throw new ResourceError(`${lostText(identity, id, undefined)} Run 'pulumi refresh'.`);
    } catch (error) {
      if (!(error instanceof AudienceError) || !error.unclear) throw error;
      // State keeps the old value of a changed identifier.
      const tried = Object.keys(changed).filter(
        (name) => !IDENTIFIERS.some((known) => known === name) || !Object.hasOwn(before, name),
      );
      throw new PartialFailure(id, withoutNames(oldOuts, tried), [error.message]);
    }
    return { outs: news };
  },

  delete(_id, raw, { host }) {
    host.reporter.warn(
      `Contact ${nameOf(identityOf(raw))} was removed from Pulumi's state only: it stays in the service as it is.`,
    );
    return Promise.resolve();
  },
};

/** Finds the contact of a state; `other` is a different contact with its identifiers. */
async function locate(
  id: string,
  identities: readonly Identity[],
  { client }: Run,
): Promise<{ readonly contact?: Contact; readonly other?: Contact | undefined }> {
  const userIds = identities.map(({ userId }) => userId).filter(canAddress);
  const emails = identities.map(({ email }) => email).filter(isGiven);
  let other: Contact | undefined;
  for (const identifier of new Set([...userIds, ...emails])) {
    const found = await lookUp(client, identifier);
    if (found?.id === id) return { contact: found };
    other ??= found;
  }
  return { other };
}

/** The identifiers to set, and the address of the update. @throws ResourceError where that is impossible. */
async function identifierChanges(
  found: Contact,
  changed: Values,
  identity: Identity,
  { client }: Run,
): Promise<{ readonly address: string; readonly changes: Changes }> {
  const { email, userId } = identity;
  const refused = otherIdentifier('userId', found, userId);
  if (refused !== undefined) throw new ResourceError(sentence(refusalText(identity, refused)));
  const assertFree = async (name: 'email' | 'userId', identifier: string): Promise<void> => {
    if (await belongsToOther(identifier, found, client))
      throw new ResourceError(`Contact ${nameOf(identity)}: ${notFree(name)}.`);
  };
  const isMoved = email !== undefined && Object.hasOwn(changed, 'email') && !isEmail(found.email, email);
  const getsUserId = userId !== undefined && !isGiven(found.userId);
  if (isMoved && isGiven(found.email) && (getsUserId || !canAddress(found.userId))) {
    throw new ResourceError(
      `Contact ${nameOf({ email: found.email })} cannot get email '${email}' yet. ${NEEDS_USER_ID}.`,
    );
  }
  if (isMoved) await assertFree('email', email);
  if (getsUserId && canAddress(userId)) await assertFree('userId', userId);
  const address = isMoved ? found.userId : (found.email ?? found.userId);
  return {
    address: address ?? '',
    changes: { ...(isMoved ? { email } : {}), ...(getsUserId ? { userId } : {}) },
  };
}

/** @throws ResourceError where another resource declares different values. */
function assertNoClash(id: string, news: Raw, run: Run): void {
  const own = run.declarations
    .find(keysOf(identityOf(news)))
    .find(({ resource }) => resource.key.startsWith('Contact '));
  if (own === undefined) return;
  const [clash] = clashProblems({ id }, news, own.resource, run);
  if (clash !== undefined) throw new ResourceError(sentence(clash.reason));
}

function lostText(identity: Identity, id: string, other: Contact | undefined): string {
  return other === undefined
    ? `Contact ${nameOf(identity)} (id ${id}) no longer exists in the service.`
    : `Contact ${nameOf(identity)} is now another contact (id ${other.id}, not ${id}).`;
}

function notShown(name: string, eventName: string, event: EventState): string {
  const what = `the event '${eventName}'`;
  return {
    sent: `Contact ${name} was sent ${what}, but the service does not show it yet. Run 'pulumi up' again in a minute.`,
    'sent before': `Contact ${name} was sent ${what} in the last 24 hours, but the service does not show it. Look there whether the contact was removed, or run 'pulumi up' again later.`,
    unclear: `Contact ${name} may have been sent ${what}: the service gave no clear response. Run 'pulumi up' again: within 24 hours the event is carried out once.`,
  }[event];
}
