import { identifiersIn, type RequestLogEntry } from '../../src/account/records.js';
import { api, serviceUrl } from './api.js';
import { copyButton } from './dialogs.js';
import { h, link } from './dom.js';
import { fullTime, pretty } from './format.js';
import { ListView, type View } from './lists.js';
import { ago, badge, changesTable, code, facts, head, rowTop } from './parts.js';
import { asCurl } from './resend.js';

/** The calls that the service received. */
export function requestsView(): View {
  return new ListView({
    name: 'requests',
    title: 'Requests',
    kinds: ['requests'],
    searchHint: 'Search by recipient, path, status or key',
    hint: 'Choose a request to see its bodies.',
    clear: { stays: 'Emails, events and contacts stay.', act: api.clearRequests },
    load: api.requests,
    row: (entry) => [
      rowTop(
        h('span', {}, h('b', { class: 'method' }, entry.method), ' ', entry.path),
        statusBadge(entry.status),
      ),
      h(
        'span',
        { class: 'row-sub' },
        ago(entry.time),
        ` ${identifiersIn(entry.requestBody).join(' ')}`,
        entry.fault === null ? undefined : badge('fault', 'bad'),
        entry.replayed ? badge('replayed') : undefined,
      ),
    ],
    detail: async (id) => {
      const entry = await api.request(id).catch(() => undefined);
      if (entry === undefined) return undefined;
      return [
        head(
          `${entry.method} ${entry.path}`,
          copyButton('Copy as curl', () => asCurl(entry, serviceUrl)),
        ),
        facts([
          ['Response', statusBadge(entry.status)],
          ['When', fullTime(entry.time)],
          ['Duration', `${entry.durationMs} ms`],
          ['Endpoint', entry.route ?? 'none'],
          ['Idempotency key', entry.key ?? undefined],
          ['Fault', entry.fault ?? undefined],
          [
            'Took effect',
            entry.applied ? 'yes' : entry.replayed ? 'no, same response as to an earlier call' : 'no',
          ],
        ]),
        ...effects(entry),
        h('h3', {}, 'Request body'),
        code(pretty(entry.requestBody), 'Request body'),
        h('h3', {}, 'Response'),
        code(pretty(entry.responseBody), 'Response'),
      ];
    },
    empty: () => [
      h('h2', {}, 'No requests yet'),
      h('p', {}, 'Every request that the sandbox receives is shown here, with its body and response.'),
    ],
  });
}

/** What the call did: the emails and the event that it made, and what it changed of a contact. */
function effects({ effects: { emails, events, contact } }: RequestLogEntry): readonly Node[] {
  const changes = contact?.changes ?? [];
  const verb = contact?.isNew === true ? 'Created' : changes.length === 0 ? 'Changed nothing of' : 'Changed';
  const lines = [
    ...events.map((id) => h('li', {}, 'Sent ', link('events', id, 'an event'))),
    ...emails.map((id) => h('li', {}, 'Sent ', link('emails', id, 'an email'))),
    ...(contact === null ? [] : [h('li', {}, `${verb} `, link('contacts', contact.id, 'a contact'))]),
  ];
  if (lines.length === 0) return [];
  const table = changes.length === 0 ? [] : [changesTable(changes)];
  return [h('h3', {}, 'What it did'), h('ul', {}, ...lines), ...table];
}

function statusBadge(status: number | null): HTMLElement {
  if (status === null) return badge('no response', 'bad');
  return badge(String(status), status < 300 ? 'good' : status < 500 ? 'warn' : 'bad');
}
