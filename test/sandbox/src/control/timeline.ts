import type { EmailRecord, TimelineEntry } from '../account/records.js';
import { controlEndpoint } from './endpoint.js';

function entry(
  kind: TimelineEntry['kind'],
  { id, time }: { readonly id: string; readonly time: string },
  title: string,
): TimelineEntry {
  return { time, kind, id, title, changes: [], requestId: null };
}

export const timelineEndpoints = [
  controlEndpoint('GET /contacts/{id}/timeline', {}, ({ sandbox, id: named }) => {
    const { id, email: address } = sandbox.contactNamed(named);
    const { events, emails, requests } = sandbox.account;
    const isTheirs = ({ contactId, to }: EmailRecord) =>
      contactId === id || to.toLowerCase() === address?.toLowerCase();
    const made = new Map<string, TimelineEntry>();
    for (const event of events.values()) {
      if (event.contactId === id) made.set(event.id, entry('event', event, event.name));
    }
    for (const email of emails.values()) {
      if (isTheirs(email)) made.set(email.id, entry('email', email, email.subject));
    }
    // The log has the order of the calls, which times of the same millisecond do not show.
    const items: TimelineEntry[] = [];
    for (const { id: requestId, time, effects } of requests.values()) {
      if (effects.contact?.id === id && effects.contact.changes.length > 0) {
        const { isNew, changes } = effects.contact;
        items.push({ ...entry(isNew ? 'created' : 'changed', { id, time }, ''), changes, requestId });
      }
      for (const madeId of [...effects.events, ...effects.emails]) {
        const one = made.get(madeId);
        if (one !== undefined) items.push({ ...one, requestId });
        made.delete(madeId);
      }
    }
    // What has lost its call, as the log keeps the newest.
    const older = [...made.values()].sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
    return { items: [...older, ...items] };
  }),
];
