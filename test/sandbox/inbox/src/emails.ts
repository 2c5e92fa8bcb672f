import { api, emailBodyUrl, type Email, type WholeEmail } from './api.js';
import { announce, button, fill, h, link } from './dom.js';
import { fullTime, pretty } from './format.js';
import { emailText } from './email-text.js';
import { ListView, type View } from './lists.js';
import { ago, badge, facts, head, prose, rowTop, table } from './parts.js';

/** The emails, as recipients would see them. */
export function emailsView(howToSend: () => readonly Node[]): View {
  return new ListView<Email>({
    name: 'emails',
    title: 'Emails',
    kinds: ['emails'],
    searchHint: 'Search by address or value',
    hint: 'Choose an email to read it.',
    clear: { stays: 'Events, contacts and the log of requests stay.', act: api.clearEmails },
    remove: (id) => api.deleteEmail(id).then(() => announce('Email deleted')),
    load: api.emails,
    rowClass: (email) => (email.read ? '' : 'unread'),
    row: (email) => [
      rowTop(
        email.to,
        email.missingVariables.length > 0
          ? badge(`${email.missingVariables.length} missing`, 'warn')
          : undefined,
        email.eventName === null ? undefined : badge(email.eventName),
        ago(email.time),
      ),
      h(
        'span',
        { class: 'row-sub' },
        h('span', { class: 'row-main' }, subjectOf(email)),
        h('span', { class: 'snippet' }, email.snippet),
      ),
    ],
    detail: async (id, _, removeOpen) => {
      const email = await api.email(id).catch(() => undefined);
      return email && detail(email, removeOpen);
    },
    // It may have been deleted meanwhile, which is no news to anybody.
    opened: (id) => void api.markEmail(id, true).catch(() => undefined),
    empty: howToSend,
    keys: {
      u: (id) => void api.email(id).then(({ read }) => api.markEmail(id, !read)),
    },
  });
}

function subjectOf({ subject }: { readonly subject: string }): string {
  return subject === '' ? '(no subject)' : subject;
}

function detail(email: WholeEmail, remove: () => void): readonly Node[] {
  const panels: Readonly<Record<string, () => Node>> = {
    Preview: () => preview(email),
    Text: () => prose(emailText(email.html), 'Email as text'),
    Variables: () => variables(email),
    Source: () => prose(email.html, 'HTML source'),
  };
  const unread = () => void api.markEmail(email.id, false).then(() => announce('Marked as unread'));
  return [
    head(subjectOf(email), button('Mark unread', unread, 'mail'), button('Delete', remove, 'trash')),
    facts([
      ['To', email.to],
      ['When', fullTime(email.time)],
      [
        email.eventName === null ? 'Design' : 'Automation',
        email.transactionalId === null ? email.design : `${email.design} (${email.transactionalId})`,
      ],
      ['Event', email.eventId === null ? undefined : link('events', email.eventId, email.eventName ?? '')],
      ['Contact', email.contactId === null ? undefined : link('contacts', email.contactId, email.contactId)],
      ['Idempotency key', email.key ?? undefined],
    ]),
    ...warnings(email),
    tabs(panels),
  ];
}

/** Widths at which an email is looked at, in pixels as the style sheet has them. */
const WIDTHS = ['Desktop', 'Tablet', 'Phone'] as const;

/** Images, and whatever else a style could load, of another host. */
const FOREIGN_IMAGE =
  /<[^>]*(?:src(?:set)?|background)\s*=\s*["']?\s*(?:https?:)?\/\/|url\(\s*["']?(?:https?:)?\/\//i;

/** Until the page is closed, the user is asked once. */
const IMAGES = 'images';
const loadsImages = () => sessionStorage.getItem(IMAGES) === 'load';

function preview(email: WholeEmail): Node {
  const frame = h('iframe', {
    // It can open links in new windows, and nothing else; its page has its own policy too.
    sandbox: 'allow-popups allow-popups-to-escape-sandbox',
    src: emailBodyUrl(email.id, loadsImages()),
    title: `Body of the email “${email.subject}”`,
    referrerpolicy: 'no-referrer',
  });
  const choose = (width: string) => {
    frame.className = `mail ${width.toLowerCase()}`;
    for (const one of buttons) one.setAttribute('aria-pressed', String(one.textContent === width));
  };
  const buttons = WIDTHS.map((width) => button(width, () => choose(width)));
  choose(WIDTHS[0]);
  const loaded = h('span', { class: 'hint', role: 'status' }, 'Images are loaded');
  const load = button('Load images', () => {
    sessionStorage.setItem(IMAGES, 'load');
    frame.src = emailBodyUrl(email.id, true);
    load.replaceWith(loaded);
  });
  return h(
    'div',
    { class: 'preview' },
    h(
      'div',
      { class: 'buttons widths' },
      h('div', { class: 'buttons', role: 'group', 'aria-label': 'Width' }, ...buttons),
      FOREIGN_IMAGE.test(email.html) ? (loadsImages() ? loaded : load) : undefined,
    ),
    frame,
  );
}

function warnings(email: WholeEmail): readonly Node[] {
  const { missingVariables: missing, surplusVariables: surplus } = email;
  const verb = missing.length === 1 ? 'was' : 'were';
  const where = email.eventName === null ? "'dataVariables'" : "'eventProperties' or the contact";
  const expected = `The template uses ${list(missing)}, which ${verb} not sent. Add the missing values to ${where}.`;
  const unused = `The template does not use ${list(surplus)}. Is a name misspelt?`;
  return [
    ...(missing.length === 0 ? [] : [h('p', { class: 'note warn' }, expected)]),
    ...(surplus.length === 0 ? [] : [h('p', { class: 'note' }, unused)]),
  ];
}

function list(names: readonly string[]): string {
  return names.map((name) => `“${name}”`).join(', ');
}

function variables(email: WholeEmail): Node {
  const rows = [
    ...Object.entries(email.variables).map(([name, value]) => ({
      name,
      value: pretty(value),
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

/** Panels with tabs; one is shown, and the arrow keys move between them. */
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
      'aria-label': 'Email views',
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
