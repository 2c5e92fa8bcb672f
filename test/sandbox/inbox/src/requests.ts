import { api } from './api.js';
import { announce, h, icon } from './dom.js';
import { fullTime, pretty, shortTime } from './format.js';
import { badge, code, facts, listView } from './lists.js';
import type { View } from './lists.js';

/** The calls that the service received. */
export function requestsView(): View {
  const clear = h(
    'button',
    { class: 'button', click: () => void api.clearRequests().then(() => announce('Log emptied')) },
    icon('trash'),
    'Clear',
  );
  return listView({
    name: 'requests',
    title: 'Requests',
    kinds: ['requests'],
    rowHeight: 56,
    searchHint: 'Search by path, status, endpoint or key',
    hint: 'Choose a request to see its bodies.',
    actions: [clear],
    load: api.requests,
    row: (entry) => [
      h(
        'span',
        { class: 'row-top' },
        h('span', { class: 'row-who' }, h('b', { class: 'method' }, entry.method), ' ', entry.path),
        statusBadge(entry.status),
      ),
      h(
        'span',
        { class: 'row-sub' },
        h('time', {}, shortTime(entry.time)),
        ` ${entry.durationMs} ms`,
        entry.fault === null ? undefined : badge('fault', 'bad'),
        entry.replayed ? badge('replayed') : undefined,
      ),
    ],
    detail: async (id) => {
      const entry = await api.request(id).catch(() => undefined);
      if (entry === undefined) return undefined;
      return [
        h('header', { class: 'detail-head' }, h('h2', {}, `${entry.method} ${entry.path}`)),
        facts([
          ['Response', statusBadge(entry.status)],
          ['When', fullTime(entry.time)],
          ['Took', `${entry.durationMs} ms`],
          ['Endpoint', entry.route ?? 'none'],
          ['Idempotency key', entry.idempotencyKey ?? undefined],
          ['Fault', entry.fault ?? undefined],
          [
            'Carried out',
            entry.applied ? 'yes' : entry.replayed ? 'no, answered from an earlier call' : 'no',
          ],
        ]),
        h('h3', {}, 'Request body'),
        code(pretty(entry.requestBody), 'Request body'),
        h('h3', {}, 'Response'),
        code(pretty(entry.responseBody), 'Response'),
      ];
    },
    empty: () => [
      h('h2', {}, 'No requests yet'),
      h('p', {}, 'Every call of the service is written down here, with its body and its response.'),
    ],
  });
}

function statusBadge(status: number | null): HTMLElement {
  if (status === null) return badge('no response', 'bad');
  return badge(String(status), status < 300 ? 'good' : status < 500 ? 'warn' : 'bad');
}
