import * as z from 'zod';
import { effectsSchema } from '../account/effects.js';
import type { EmailRecord } from '../account/records.js';
import { Problem } from '../service/problem.js';
import { controlEndpoint } from './endpoint.js';

const entrySchema = z.object({
  time: z.string(),
  kind: z.enum(['created', 'changed', 'event', 'email']),
  /** Id of the event or the mail; of the contact for what changed it. */
  id: z.string(),
  /** Name of the event, or subject of the mail. */
  title: z.string(),
  /** What was changed of the contact. */
  changes: effectsSchema.shape.contact.unwrap().shape.changes,
  /** The call behind it; null when it is not in the log (any more). */
  requestId: z.string().nullable(),
});
type Entry = z.infer<typeof entrySchema>;

export const getTimeline = controlEndpoint(
  {
    operationId: 'getTimeline',
    method: 'GET',
    path: '/contacts/{id}/timeline',
    tag: 'account',
    idOf: 'the contact',
    summary: 'What happened to a contact, in order: events, mails and changes, with the call behind each',
    response: z.object({ items: z.array(entrySchema) }),
  },
  ({ sandbox: { account }, id }) => {
    const contact = account.contacts.get(id);
    if (contact === undefined) throw new Problem(404, `There is no contact with the id '${id}'.`);
    const { events, emails, requests } = account;
    const isTheirs = ({ contactId, to }: EmailRecord) =>
      contactId === id || to.toLowerCase() === contact.email?.toLowerCase();
    const made = new Map<string, Entry>();
    for (const event of events.values()) {
      if (event.contactId === id) made.set(event.id, entry('event', event, event.name));
    }
    for (const email of emails.values()) {
      if (isTheirs(email)) made.set(email.id, entry('email', email, email.subject));
    }
    // The log is in the order in which calls were carried out, which times cannot tell of those of one millisecond.
    const items: Entry[] = [];
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
  },
);

function entry(
  kind: Entry['kind'],
  { id, time }: { readonly id: string; readonly time: string },
  title: string,
): Entry {
  return { time, kind, id, title, changes: [], requestId: null };
}
