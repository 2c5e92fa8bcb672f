import { api, emailBodyUrl } from './api.js';
import type { Email, WholeEmail } from './api.js';
import { announce, fill, h, icon } from './dom.js';
import { fullTime, shortTime } from './format.js';
import { emailText } from './email-text.js';
import { badge, facts, listView, prose, table } from './lists.js';
import type { View } from './lists.js';

/** The emails, as they would have reached people. */
export function emailsView(howToSend: () => readonly Node[]): View {
  const remove = async (id: string) => {
    await api.deleteEmail(id);
    announce('Email deleted');
    location.hash = '#/emails';
  };
  return listView<Email>({
    name: 'emails',
    title: 'Emails',
    kinds: ['emails'],
    rowHeight: 80,
    searchHint: 'Search, or to:ada is:unread',
    hint: 'Choose an email to read it.',
    clear: {
      question: 'Delete all emails?',
      consequence: 'The inbox is empty then. Events, contacts and the log of requests stay.',
      act: api.clearEmails,
    },
    load: api.emails,
    rowClass: (email) => (email.read ? '' : 'unread'),
    row: (email) => [
      h(
        'span',
        { class: 'row-top' },
        h('span', { class: 'row-who' }, email.to),
        h('time', {}, shortTime(email.time)),
      ),
      h('span', { class: 'row-main' }, email.subject === '' ? '(no subject)' : email.subject),
      h(
        'span',
        { class: 'row-sub' },
        email.designName,
        email.missingVariables.length > 0
          ? badge(`${email.missingVariables.length} missing`, 'warn')
          : undefined,
        email.eventName === null ? undefined : badge(email.eventName),
      ),
    ],
    detail: async (id) => {
      const email = await api.email(id).catch(() => undefined);
      if (email === undefined) return undefined;
      // It may have been deleted meanwhile, which is no news to anybody.
      if (!email.read) void api.markEmail(id, true).catch(() => undefined);
      return detail(email, remove);
    },
    empty: howToSend,
    keys: {
      u: (id) => void api.email(id).then(({ read }) => api.markEmail(id, !read)),
      Delete: (id) => void remove(id),
      '#': (id) => void remove(id),
    },
  });
}

function detail(email: WholeEmail, remove: (id: string) => Promise<void>): readonly Node[] {
  const panels: Readonly<Record<string, () => Node>> = {
    Preview: () => preview(email),
    Text: () => prose(emailText(email.html), 'Email as text'),
    Variables: () => variables(email),
    Links: () => links(email),
    Source: () => prose(email.html, 'HTML source'),
  };
  return [
    h(
      'header',
      { class: 'detail-head' },
      h('h2', {}, email.subject === '' ? '(no subject)' : email.subject),
      h(
        'div',
        { class: 'buttons' },
        h(
          'button',
          {
            class: 'button',
            click: () => void api.markEmail(email.id, false).then(() => announce('Marked as unread')),
          },
          icon('mail'),
          'Mark unread',
        ),
        h('button', { class: 'button', click: () => void remove(email.id) }, icon('trash'), 'Delete'),
      ),
    ),
    facts([
      ['To', email.to],
      ['When', fullTime(email.time)],
      [
        email.eventName === null ? 'Design' : 'Automation',
        email.transactionalId === null ? email.designName : `${email.designName} (${email.transactionalId})`,
      ],
      [
        'Event',
        email.eventId === null
          ? undefined
          : h('a', { href: `#/events/${encodeURIComponent(email.eventId)}` }, email.eventName ?? ''),
      ],
      [
        'Contact',
        email.contactId === null
          ? undefined
          : h('a', { href: `#/contacts/${encodeURIComponent(email.contactId)}` }, email.contactId),
      ],
      ['Idempotency key', email.idempotencyKey ?? undefined],
    ]),
    ...warnings(email),
    tabs(panels),
  ];
}

/** Widths at which an email is looked at, in pixels as the style sheet has them. */
const WIDTHS = ['Desktop', 'Tablet', 'Phone'] as const;

function preview(email: WholeEmail): Node {
  const frame = h('iframe', {
    class: 'mail',
    // Nothing is allowed in it, and its page has a policy of its own as well.
    sandbox: '',
    src: emailBodyUrl(email.id),
    title: `Body of the email “${email.subject}”`,
    referrerpolicy: 'no-referrer',
  });
  const choose = (width: string) => {
    frame.className = `mail ${width.toLowerCase()}`;
    for (const button of buttons) button.setAttribute('aria-pressed', String(button.textContent === width));
  };
  const buttons = WIDTHS.map((width) => h('button', { class: 'button', click: () => choose(width) }, width));
  choose(WIDTHS[0]);
  return h(
    'div',
    { class: 'preview' },
    h('div', { class: 'buttons widths', role: 'group', 'aria-label': 'Width' }, ...buttons),
    frame,
  );
}

function warnings(email: WholeEmail): Node[] {
  const notes: Node[] = [];
  if (email.missingVariables.length > 0) {
    notes.push(
      h(
        'p',
        { class: 'note warn' },
        `The template expects ${list(email.missingVariables)}, which ${email.missingVariables.length === 1 ? 'was' : 'were'} not sent: the place is empty in the email.`,
      ),
    );
  }
  if (email.surplusVariables.length > 0) {
    notes.push(
      h(
        'p',
        { class: 'note' },
        `The template does not use ${list(email.surplusVariables)}. Is a name misspelt?`,
      ),
    );
  }
  return notes;
}

function list(names: readonly string[]): string {
  return names.map((name) => `“${name}”`).join(', ');
}

function variables(email: WholeEmail): Node {
  const rows = [
    ...Object.entries(email.dataVariables).map(([name, value]) => ({
      name,
      value: String(value),
      remark: email.surplusVariables.includes(name) ? badge('not used', 'warn') : undefined,
    })),
    ...email.missingVariables.map((name) => ({ name, value: '', remark: badge('missing', 'bad') })),
  ];
  if (rows.length === 0) return h('p', { class: 'hint' }, 'This email has no variables.');
  return table(
    ['Variable', 'Value'],
    rows.map(({ name, value, remark }) => [h('span', {}, name, ' ', remark), value]),
  );
}

/** Links can't be followed inside of the email, so those that lead to the web are listed here. */
function links(email: WholeEmail): Node {
  const found = [...new DOMParser().parseFromString(email.html, 'text/html').querySelectorAll('a[href]')];
  if (found.length === 0) return h('p', { class: 'hint' }, 'This email has no links.');
  return h(
    'ul',
    { class: 'links' },
    ...found.map((anchor) => {
      const target = anchor.getAttribute('href') ?? '';
      const words = (anchor.textContent.trim() || target).slice(0, 200);
      return /^https?:\/\//i.test(target)
        ? h(
            'li',
            {},
            h('a', { href: target, target: '_blank', rel: 'noopener noreferrer' }, words),
            h('span', { class: 'url' }, target),
          )
        : h('li', {}, words, ' ', badge('leads nowhere safe', 'bad'), h('span', { class: 'url' }, target));
    }),
  );
}

/** Panels of which one is shown; the arrow keys move between their tabs. */
function tabs(panels: Readonly<Record<string, () => Node>>): HTMLElement {
  const names = Object.keys(panels);
  const panel = h('div', { class: 'panel', role: 'tabpanel', id: 'panel' });
  const buttons = names.map((name) =>
    h(
      'button',
      { role: 'tab', id: `tab-${name}`, 'aria-controls': 'panel', click: () => choose(name, true) },
      name,
    ),
  );
  const choose = (name: string, focus: boolean) => {
    for (const button of buttons) {
      const isChosen = button.textContent === name;
      button.setAttribute('aria-selected', String(isChosen));
      button.tabIndex = isChosen ? 0 : -1;
      if (isChosen && focus) button.focus();
    }
    panel.setAttribute('aria-labelledby', `tab-${name}`);
    fill(panel, panels[name]?.());
  };
  const bar = h(
    'div',
    {
      role: 'tablist',
      class: 'tabs',
      'aria-label': 'Ways to look at the email',
      keydown: (event) => {
        if (!(event instanceof KeyboardEvent)) return;
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        const at = buttons.findIndex((button) => button.tabIndex === 0);
        choose(names[(at + step + names.length) % names.length] ?? '', true);
      },
    },
    ...buttons,
  );
  choose(names[0] ?? '', false);
  return h('div', { class: 'tabbed' }, bar, panel);
}
