import { contactFieldEntries } from 'audience-core/internal';
import { api } from './api.js';
import { fill, h, link } from './dom.js';
import { count, fullTime, pretty } from './format.js';
import { ListView, type View } from './lists.js';
import { ago, badge, code, facts, head, rowTop, table, valueOf } from './parts.js';

/** The events, with what they set off. */
export function eventsView(): View {
  return new ListView({
    name: 'events',
    title: 'Events',
    kinds: ['events'],
    searchHint: 'Search by name, address or userId',
    hint: 'Choose an event to see what it triggered.',
    load: api.events,
    row: (event) => [
      rowTop(event.name, ago(event.time)),
      h(
        'span',
        { class: 'row-sub' },
        event.email ?? event.userId ?? '',
        badge(event.triggered.length === 0 ? 'triggered nothing' : `triggered ${event.triggered.length}`),
      ),
    ],
    detail: async (id, known) => {
      const event = known ?? (await api.event(id));
      if (event === undefined) return undefined;
      return [
        head(event.name),
        facts([
          ['When', fullTime(event.time)],
          ['Contact', link('contacts', event.contactId, event.email ?? event.userId ?? '')],
          ['Idempotency key', event.key ?? undefined],
        ]),
        h('h3', {}, 'What it triggered'),
        event.triggered.length === 0
          ? h('p', { class: 'note' }, `No automation listens to “${event.name}”. Add one to the seed.`)
          : h(
              'ul',
              {},
              ...event.triggered.map(({ automationName, emailId, skipped }) =>
                h(
                  'li',
                  {},
                  `${automationName}: `,
                  emailId === null ? (skipped ?? '') : link('emails', emailId, 'sent an email'),
                ),
              ),
            ),
        h('h3', {}, 'Event properties'),
        code(pretty(event.properties), 'Event properties'),
      ];
    },
    empty: () => [
      h('h2', {}, 'No events yet'),
      h('p', {}, 'An event sent with POST /v1/events/send shows up here, with the emails that it triggered.'),
    ],
  });
}

/** The members of the audience. */
export function contactsView(): View {
  return new ListView({
    name: 'contacts',
    title: 'Contacts',
    kinds: ['contacts'],
    changes: true,
    searchHint: 'Search by address, userId or name',
    hint: 'Choose a contact to see its properties and groups.',
    load: api.contacts,
    row: ({ id, email, userId, firstName, lastName, subscribed }) => [
      rowTop(email ?? userId ?? '', subscribed ? undefined : badge('unsubscribed', 'warn')),
      h('span', { class: 'row-sub' }, [firstName, lastName].filter(Boolean).join(' ') || id),
    ],
    detail: contactDetail,
    empty: () => [
      h('h2', {}, 'No contacts yet'),
      h('p', {}, 'Contacts are created by an event, by an email sent with addToAudience, or by a seed.'),
    ],
  });
}

/** A contact in full: its fields, groups and properties. */
async function contactDetail(id: string): Promise<readonly Node[] | undefined> {
  const [contact, schema] = await Promise.all([api.contact(id).catch(() => undefined), api.schema()]);
  if (contact === undefined) return undefined;
  return [
    head(contact.email ?? contact.userId ?? contact.id),
    facts([
      ['Id', contact.id],
      ...contactFieldEntries
        .filter(([, { type, setBy }]) => type !== 'groups' && setBy.length > 0)
        .map(([name, { label }]) => [label, factOf(Reflect.get(contact, name))] as const),
      ['Created', fullTime(contact.createdAt)],
      ['Changed', fullTime(contact.updatedAt)],
    ]),
    h('h3', {}, 'Subscription groups'),
    groupList(contact.subscriptionGroups, schema.subscriptionGroups),
    h('h3', {}, 'Custom properties'),
    table(
      ['Property', 'Type', 'Value'],
      schema.properties.map((one) => [one.id, one.type, propertyValue(one.type, contact.properties[one.id])]),
    ),
    h('p', { class: 'hint' }, 'Search for the address in Emails, Events or Requests to see what happened.'),
  ];
}

function groupList(
  memberships: Readonly<Record<string, boolean>>,
  groups: readonly { readonly id: string; readonly name: string }[],
): HTMLElement {
  const entries = Object.entries(memberships);
  if (entries.length === 0) return h('p', { class: 'hint' }, 'None.');
  const nameOf = (id: string) => groups.find((one) => one.id === id)?.name ?? id;
  const badges = entries.map(([id, isIn]) =>
    badge(`${nameOf(id)}: ${isIn ? 'subscribed' : 'not subscribed'}`, isIn ? 'good' : 'plain'),
  );
  return h('ul', { class: 'badges' }, ...badges.map((one) => h('li', {}, one)));
}

/** Properties, groups, designs and automations. */
export function schemaView(): View {
  const body = h('div', {
    class: 'page',
    role: 'region',
    tabindex: 0,
    'aria-label': 'Properties and designs',
  });
  const refresh = async () => {
    const schema = await api.schema();
    fill(
      body,
      section(
        'Custom properties',
        ['Name', 'Type', 'Label'],
        schema.properties.map(({ id, type, label }) => [id, type, label]),
      ),
      section(
        'Subscription groups',
        ['Name', 'Id', 'Description'],
        schema.subscriptionGroups.map(({ id, name, description }) => [name, id, description ?? '']),
      ),
      section(
        'Designs',
        ['Name', 'Id', 'Variables'],
        schema.designs.map(({ name, id, dataVariables }) => [name, id, dataVariables.join(', ')]),
      ),
      section(
        'Automations',
        ['Name', 'Listens to', 'Id'],
        schema.automations.map(({ id, name, eventName }) => [name, eventName, id]),
      ),
    );
  };
  return {
    name: 'properties',
    title: 'Properties',
    kinds: ['properties', 'groups', 'designs', 'automations'],
    element: h(
      'div',
      { class: 'view' },
      h('header', { class: 'bar' }, h('h1', {}, 'Properties and designs')),
      body,
    ),
    show: () => void refresh(),
    refresh: () => void refresh(),
  };
}

function section(
  title: string,
  columns: readonly string[],
  rows: readonly (readonly (string | Node)[])[],
): HTMLElement {
  return h(
    'section',
    { class: 'card' },
    h('h2', {}, title, ' ', h('span', { class: 'total' }, count(rows.length))),
    rows.length === 0 ? h('p', { class: 'hint' }, 'None yet. Add some to the seed.') : table(columns, rows),
  );
}

function propertyValue(type: string, value: unknown): Node {
  if (type !== 'date' || typeof value !== 'number') return valueOf(value);
  return h('span', { title: String(value) }, fullTime(new Date(value * 1000).toISOString()));
}

/** A field's value as a fact; a field without one is left out. */
function factOf(value: unknown): string | undefined {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' ? value : undefined;
}
