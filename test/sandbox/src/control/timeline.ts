import * as z from 'zod';
import type { Account } from '../account/account.js';
import { effectsSchema } from '../account/effects.js';
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

const ORDER: readonly Entry['kind'][] = ['created', 'changed', 'event', 'email'];

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
    const { calls, changes } = readLog(account, id);
    const items: Entry[] = [...changes];
    for (const event of account.events.values()) {
      if (event.contactId !== id) continue;
      items.push(entry('event', event, event.name, calls));
    }
    for (const email of account.emails.values()) {
      const isTheirs = email.contactId === id || email.to.toLowerCase() === contact.email?.toLowerCase();
      if (isTheirs) items.push(entry('email', email, email.subject, calls));
    }
    const place = ({ time, kind }: Entry) => `${time} ${ORDER.indexOf(kind)}`;
    return { items: items.sort((a, b) => (place(a) < place(b) ? -1 : place(a) > place(b) ? 1 : 0)) };
  },
);

function entry(
  kind: Entry['kind'],
  { id, time }: { readonly id: string; readonly time: string },
  title: string,
  calls: ReadonlyMap<string, string>,
): Entry {
  return { time, kind, id, title, changes: [], requestId: calls.get(id) ?? null };
}

/** Which call made which mail and event, and what calls changed of a contact. */
function readLog(account: Account, contactId: string) {
  const calls = new Map<string, string>();
  const changes: Entry[] = [];
  for (const { id: requestId, time, effects } of account.requests.values()) {
    for (const made of [...effects.emails, ...effects.events]) calls.set(made, requestId);
    if (effects.contact?.id !== contactId || effects.contact.changes.length === 0) continue;
    changes.push({
      time,
      requestId,
      id: contactId,
      title: '',
      changes: effects.contact.changes,
      kind: effects.contact.isNew ? 'created' : 'changed',
    });
  }
  return { calls, changes };
}
