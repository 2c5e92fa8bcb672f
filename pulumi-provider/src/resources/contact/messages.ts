import type { Contact } from 'audience-core';
import { emailChange } from './check.js';
import type { State } from './state.js';
import type { Host } from '../host.js';
import { isEmail, nameOf } from '../people.js';

/** Why a contact could not be written: it is gone, or its address leads to `other` by now. */
export function lost(after: State, id: string, other: Contact | undefined): string {
  return other === undefined
    ? `Contact ${nameOf(after)} (id ${id}) is gone from the service, so it could not be updated. Run 'pulumi refresh' to take it out of the state, then 'pulumi up'.`
    : `Contact ${nameOf(after)} is another person by now: its address leads to contact ${other.id} of the service, and no longer to ${id}. Nobody was changed. Correct its email or userId, or run 'pulumi refresh' to take it out of the state.`;
}

/** Why a contact cannot get another email. */
export function noWayToEmail(before: State, after: State): string {
  return `Contact ${nameOf(after)}: the email ${emailChange(before.email ?? '')}.`;
}

/** Says what stays in the service although it is no longer declared. */
export function sayWhatStays(before: State, after: State, left: readonly string[], { reporter }: Host): void {
  const contact = `Contact ${nameOf(after)}`;
  if (left.length > 0) {
    reporter.info(
      `${contact} keeps ${left.join(', ')}, no longer declared here: the service has another value than any that Pulumi wrote.`,
    );
  }
  if (before.email !== undefined && after.email === undefined) {
    reporter.warn(`${contact} keeps its email in the service: an email can be changed there, not cleared.`);
  }
  if (before.subscribed === false && after.subscribed === undefined) {
    reporter.warn(`${contact} stays unsubscribed: only the contact can subscribe again.`);
  }
}

/** Says that a contact loses its userId, by which the events of a product find it. */
export function sayUserIdCleared(before: State, after: State, { reporter }: Host): void {
  if (before.userId === undefined || after.userId !== undefined) return;
  reporter.warn(
    `Contact ${nameOf(after)}: its userId '${before.userId}' is no longer declared, and is cleared in the service: an event for that userId would make another contact. Declare it, if it is to stay.`,
  );
}

/** Says that a contact gets other identifiers altogether: who that is, the program alone does not tell. */
export function sayMoved(id: string, before: State, after: State, { reporter }: Host): void {
  const isSame =
    (before.email !== undefined && isEmail(after.email, before.email)) ||
    (before.userId !== undefined && before.userId === after.userId);
  if (isSame) return;
  reporter.warn(
    `Contact ${nameOf(after)} has neither the email nor the userId of before, ${nameOf(before)}: that same person (id ${id}) gets these identifiers and values${after.subscribed === false ? ', and is unsubscribed for good' : ', and stays subscribed or unsubscribed as they are'}. If ${nameOf(after)} is somebody else, give the resource another name.`,
  );
}
