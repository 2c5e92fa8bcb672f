import { ResourceError } from '../errors.js';
import { nameOf } from '../people.js';
import type { Identity } from '../people.js';
import type { Raw } from '../raw.js';
import type { Run } from '../run.js';
import { REFUSED_TO_SAY, update } from '../service-contacts.js';
import { clearedOf } from './drift.js';
import { locateKnown } from './locate-known.js';
import { lost } from './messages.js';
import { stateOf } from './state.js';

/**
 * What becomes of the contact when it leaves the program: by `onDelete` it stays as it is (and the person is told so),
 * is unsubscribed, or loses the values that were declared. One that this run declares is left alone.
 *
 * @throws ResourceError where it is not known whether it could be done.
 */
export async function deleteContact(id: string, raw: Raw, run: Run): Promise<void> {
  const state = stateOf(raw);
  const { email, userId, onDelete = 'retain' } = state;
  const { reporter } = run.host;
  const name = `Contact ${nameOf(state)}`;
  if (isLeftAlone({ id, email, userId }, name, run)) return;
  if (onDelete === 'retain') {
    reporter.warn(
      `${name} has left Pulumi's state only: the service has no call to delete a contact, so it stays there as it is. Set onDelete to 'unsubscribe' or 'clear' for more.`,
    );
    return;
  }
  if (run.unchecked.has(id)) {
    reporter.warn(
      `${name} is deleted before what replaces it, so that nobody knows yet whom this run declares: it is left as it is. Take deleteBeforeReplace off the resource, and off those that it depends on.`,
    );
    return;
  }
  const { contact, other, isRefused } = await locateKnown(id, raw, run.client);
  if (contact === undefined) {
    const wasNot = `${name} (id ${id}) was not ${onDelete === 'unsubscribe' ? 'unsubscribed' : 'cleared'}`;
    if (isRefused === true) {
      throw new ResourceError(
        `${wasNot}: the service ${REFUSED_TO_SAY}. Run it again; if the contact is gone from the service, take it out of the state with 'pulumi state delete'.`,
      );
    }
    const why =
      other === undefined
        ? 'the service has no contact under that address'
        : `another contact (id ${other.id}) has that address by now, and is left alone`;
    reporter.warn(`${wasNot}: ${why}. If the person is there under another email, do it in the service.`);
    return;
  }
  if (isLeftAlone({ id, email: contact.email, userId: contact.userId }, name, run)) return;
  const changes = onDelete === 'unsubscribe' ? { subscribed: false } : clearedOf(raw, contact);
  const address = contact.email ?? contact.userId;
  if (Object.keys(changes).length === 0 || typeof address !== 'string') return;
  if ((await update(run.client, address, changes)) === undefined)
    throw new ResourceError(lost(state, id, undefined));
  reporter.info(
    onDelete === 'unsubscribe'
      ? `${name} is no longer declared and was unsubscribed for good.`
      : `${name} is no longer declared: ${Object.keys(changes).join(', ')} cleared.`,
  );
}

/** Whether somebody declares the contact, of which the person is told. */
function isLeftAlone(identity: Identity, name: string, { host, people }: Run): boolean {
  const owner = people.ownerOf(identity);
  if (owner !== undefined)
    host.reporter.info(`${name} is left as it is, as ${owner.location} declares it now.`);
  return owner !== undefined;
}
