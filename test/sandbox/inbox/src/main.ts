import { api, CallError, follow } from './api.js';
import type { Status } from './api.js';
import { announce, byId, fill, h, icon } from './dom.js';
import { emailsView } from './emails.js';
import { faultsView } from './faults.js';
import { count } from './format.js';
import { code } from './lists.js';
import type { View } from './lists.js';
import { contactsView, eventsView, schemaView } from './records.js';
import { requestsView } from './requests.js';

let apiKey = '…';

const environment = () => `export AUDIENCE_BASE_URL=${location.origin}\nexport AUDIENCE_API_KEY='${apiKey}'`;

const firstMail = () => `curl ${location.origin}/v1/transactional \\
  -H 'Authorization: Bearer ${apiKey}' \\
  -H 'Content-Type: application/json' \\
  -d '{"email":"ada@example.com","transactionalId":"design-welcome","dataVariables":{"firstName":"Ada","planName":"Pro"}}'`;

function howToSend(): readonly Node[] {
  return [
    h('h2', {}, 'No mails yet'),
    h('p', {}, 'Point your program at this sandbox:'),
    code(environment(), 'Environment variables'),
    copyButton('Copy', environment),
    h('p', {}, 'or send the first one by hand; it shows up here at once:'),
    code(firstMail(), 'A first mail with curl'),
    copyButton('Copy', firstMail),
  ];
}

function copyButton(label: string, text: () => string): HTMLElement {
  return h(
    'button',
    {
      class: 'button',
      click: () =>
        void navigator.clipboard.writeText(text()).then(
          () => announce('Copied'),
          () => announce('The browser did not allow copying; mark the text instead'),
        ),
    },
    icon('copy'),
    label,
  );
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
  apiKey = status.apiKey;
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
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const target = event.target instanceof HTMLElement ? event.target : undefined;
  const isTyping = target?.matches('input, select, textarea') ?? false;
  if (event.key === 'Escape') {
    if (isTyping) target?.blur();
    else current?.back?.();
    return;
  }
  if (isTyping) {
    if (['ArrowDown', 'Enter'].includes(event.key) && target?.matches('.search')) {
      event.preventDefault();
      current?.enter?.();
    }
    return;
  }
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
  switch (pressed) {
    case '/':
      return () => current?.search?.();
    case 'j':
      return () => current?.move?.(1);
    case 'k':
      return () => current?.move?.(-1);
    case '?':
      return () => help instanceof HTMLDialogElement && help.showModal();
    default:
      return current?.keys?.[pressed];
  }
}

byId('reset').addEventListener('click', () => {
  if (!confirm('Go back to the seed? Mails, events, log and faults are deleted.')) return;
  void api.reset().then(() => {
    announce('Back to the start');
    location.hash = '#/emails';
  });
});
byId('copy-environment').addEventListener('click', () => {
  void navigator.clipboard.writeText(environment()).then(
    () => announce('Copied: AUDIENCE_BASE_URL and AUDIENCE_API_KEY'),
    () => announce('The browser did not allow copying'),
  );
});
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
  state.textContent = isLive ? 'Live' : 'Not connected: is the sandbox running?';
  state.classList.toggle('cut', !isLive);
});
void refreshStatus().then(route);
