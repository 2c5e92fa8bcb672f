import { api, CallError, follow, serviceUrl, type Status } from './api.js';
import { ask, copyButton } from './dialogs.js';
import { announce, byId, fill, h, icon } from './dom.js';
import { emailsView } from './emails.js';
import { faultsView } from './faults.js';
import { count } from './format.js';
import type { View } from './lists.js';
import { code } from './parts.js';
import { contactsView, eventsView, schemaView } from './records.js';
import { requestsView } from './requests.js';
import { StateLine } from './state.js';
import { quoted } from '../../src/shell.js';

let apiKey = '…';
const stateLine = new StateLine();

const environment = () => `export AUDIENCE_BASE_URL=${serviceUrl}\nexport AUDIENCE_API_KEY=${quoted(apiKey)}`;

const FIRST_EMAIL = `curl "$AUDIENCE_BASE_URL/v1/transactional" \\
  -H "Authorization: Bearer $AUDIENCE_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{
    "email": "ada@example.com",
    "transactionalId": "design-welcome",
    "dataVariables": { "firstName": "Ada" }
  }'`;

function howToSend(): readonly Node[] {
  return [
    h('h2', {}, 'No emails yet'),
    h('p', {}, 'Point your program at this sandbox:'),
    code(environment(), 'Environment variables'),
    copyButton('Copy', environment),
    h('p', {}, 'and let it send, or send the first one by hand; it shows up here at once:'),
    code(FIRST_EMAIL, 'A first email with curl'),
    copyButton('Copy', () => FIRST_EMAIL),
  ];
}

const views: readonly View[] = [
  emailsView(howToSend),
  eventsView(),
  contactsView(),
  schemaView(),
  requestsView(),
  faultsView(),
];

const main = byId('main');
let current: View | undefined;

const links = views.map((view, index) =>
  h(
    'a',
    { href: `#/${view.name}`, 'aria-keyshortcuts': index + 1 },
    icon(view.name),
    h('span', { class: 'nav-title' }, view.title),
    h('span', { class: 'nav-count' }),
  ),
);
fill(byId('nav'), ...links);

function route(): void {
  const [name, id] = location.hash.replace(/^#\//, '').split('/');
  const view = views.find((one) => one.name === name) ?? views[0];
  if (view === undefined) return;
  if (view !== current) {
    current = view;
    fill(main, view.element);
    document.title = `${view.title} · Audience sandbox`;
    links.forEach((link, index) => {
      if (views[index] === view) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    });
  }
  view.show(id === undefined || id === '' ? undefined : decodeURIComponent(id));
}

function showStatus(status: Status): void {
  apiKey = status.apiKey ?? 'YOUR_KEY';
  stateLine.show(status);
  const shown: Readonly<Record<string, number | undefined>> = {
    ...status.counts,
    emails: status.counts['unread'],
  };
  links.forEach((link, index) => {
    const name = views[index]?.name ?? '';
    const number = shown[name] ?? 0;
    const bubble = link.querySelector('.nav-count');
    if (bubble !== null) bubble.textContent = number > 0 ? count(number) : '';
    link.classList.toggle('counted', name === 'emails');
    link.classList.toggle('alert', name === 'faults' && number > 0);
  });
  const unread = status.counts['unread'] ?? 0;
  document.title = `${unread > 0 ? `(${count(unread)}) ` : ''}${current?.title ?? ''} · Audience sandbox`;
}

async function refreshStatus(): Promise<void> {
  showStatus(await api.status());
}

function changed(kinds: ReadonlySet<string>): void {
  void refreshStatus();
  if (current !== undefined && (kinds.has('everything') || current.kinds.some((kind) => kinds.has(kind)))) {
    current.refresh();
  }
}

const help = byId('help');

function key(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
  const target = event.target instanceof HTMLElement ? event.target : undefined;
  const isTyping = target?.matches('input, select, textarea') ?? false;
  if (event.key === 'Escape') {
    if (target instanceof HTMLInputElement && target.matches('.search') && target.value !== '') {
      // The browser would empty the box without an event, as it loses the focus.
      target.value = '';
      target.dispatchEvent(new Event('input'));
    }
    if (isTyping) target?.blur();
    else current?.keys?.['Escape']?.();
    return;
  }
  if (isTyping) return;
  const act = action(event.key);
  if (act === undefined) return;
  event.preventDefault();
  act();
}

function action(pressed: string): (() => void) | undefined {
  const view = views[Number(pressed) - 1];
  if (view !== undefined) {
    return () => {
      location.hash = `#/${view.name}`;
      // The browser tells of it later, and the next key must already find the section.
      route();
    };
  }
  if (pressed === '?') return () => help instanceof HTMLDialogElement && help.showModal();
  return current?.keys?.[pressed];
}

byId('reset').addEventListener('click', () => {
  ask('Reset the sandbox?', 'Everything goes back to the start, contacts too.', 'Reset', () => {
    void api.reset().then(() => {
      announce('The sandbox was reset');
      location.hash = '#/emails';
    });
  });
});
byId('copy-environment').replaceWith(copyButton('Env', environment));
byId('show-help').addEventListener('click', () => {
  if (help instanceof HTMLDialogElement) help.showModal();
});
addEventListener('unhandledrejection', (event) => {
  if (!(event.reason instanceof CallError)) return;
  event.preventDefault();
  announce(event.reason.message);
});
addEventListener('hashchange', route);
addEventListener('keydown', key);
follow(changed, (isLive) => {
  const state = byId('live');
  state.textContent = isLive ? 'Live' : 'Offline';
  state.classList.toggle('cut', !isLive);
  byId('offline').textContent = isLive
    ? ''
    : 'Not connected: is the sandbox running? What you see may be out of date. The page will reconnect.';
});
void refreshStatus().then(route);
