import { api, type Status } from './api.js';
import { announce, button, fill, h } from './dom.js';
import type { View } from './lists.js';
import { badge, head, table } from './parts.js';
import { describeFault, remaining, ROUTES, type Fault, type NewFault } from '../../src/faults/fault.js';
import { PRESET_NAMES, PRESETS, descriptionOf } from '../../src/profile.js';
import { differences, presetOf } from './state.js';
import { reasonOf } from '../../src/reason.js';

/** What is shown for a profile that is none of those with a name. */
const OWN = 'own';

const status = (code: number, more: object = {}): NewFault => ({ respond: { status: code, ...more } });
const page = { headers: { 'Content-Type': 'text/html' }, body: '<h1>It works!</h1>' };
const early: NewFault = { ...status(504), when: 'during', delayMs: 10_000 };

/** What can be switched on with one press: what it is called, and what it does to the next calls. */
const SWITCHES: readonly { name: string; what: string; fault: NewFault }[] = [
  { name: 'Server error', what: '503', fault: status(503) },
  { name: 'Too many requests', what: '429', fault: status(429, { headers: { 'Retry-After': 2 } }) },
  { name: 'Refused', what: '422', fault: status(422) },
  { name: 'Slow', what: '3 seconds late', fault: { delayMs: 3000 } },
  { name: 'Lost on the way', what: 'cut before it was carried out', fault: { cut: true } },
  { name: 'Response lost', what: 'carried out, then cut', fault: { cut: true, when: 'after' } },
  { name: 'Early gateway', what: '504 at once, carried out after 10 seconds', fault: early },
  { name: "Proxy's page", what: '200 with HTML', fault: status(200, page) },
  { name: 'Silence', what: 'never responds', fault: { hang: true } },
];

/** A part of the page that shows what the sandbox has set. */
interface Card {
  readonly element: HTMLElement;
  show(faults: readonly Fault[], status: Status): void;
}

/** Faults, switched on and off. */
export function faultsView(): View {
  const cards = [switchedOn(), rateLimit(), kindOfService()];
  const refresh = async () => {
    const [faults, status] = await Promise.all([api.faults(), api.status()]);
    for (const card of cards) card.show(faults, status);
  };
  const body = h('div', { class: 'page' }, switches(), ...cards.map(({ element }) => element));
  return {
    name: 'faults',
    title: 'Faults',
    kinds: ['faults', 'profile'],
    element: h('div', { class: 'view' }, h('header', { class: 'bar' }, h('h1', {}, 'Faults')), body),
    show: () => void refresh(),
    refresh: () => void refresh(),
  };
}

function switches(): HTMLElement {
  const route = h(
    'select',
    { id: 'fault-route' },
    ...ROUTES.map((name) => h('option', { value: name }, name === 'any' ? 'any endpoint' : name)),
  );
  const address = h('input', { id: 'fault-address', placeholder: 'any address' });
  const times = h('input', { id: 'fault-times', type: 'number', min: 1, value: 1, required: true });
  const set = async (fault: NewFault) => {
    const chosen = ROUTES.find((name) => name === route.value) ?? 'any';
    await api
      .setFault({
        ...fault,
        ...(address.value === '' ? {} : { address: address.value }),
        route: chosen,
        times: times.valueAsNumber,
      })
      .then(() => announce('Fault set'))
      .catch((error: unknown) => announce(reasonOf(error)));
  };
  return h(
    'section',
    { class: 'card' },
    h('h2', {}, 'Make the next calls go wrong'),
    h(
      'div',
      { class: 'fields' },
      h('label', { for: 'fault-route' }, 'On', route),
      h('label', { for: 'fault-address' }, 'Email or userId', address),
      h('label', { for: 'fault-times' }, 'The next', times),
    ),
    h(
      'div',
      { class: 'switches' },
      ...SWITCHES.map(({ name, what, fault }) =>
        h('button', { class: 'switch', click: () => void set(fault) }, h('b', {}, name), h('span', {}, what)),
      ),
    ),
  );
}

function switchedOn(): Card {
  const list = h('div', {});
  const allOff = () => void api.clearFaults().then(() => announce('All faults off'));
  return {
    element: h('section', { class: 'card' }, head('Switched on', button('All off', allOff)), list),
    show(faults) {
      const none = h('p', { class: 'hint' }, 'None: every call works as it should.');
      fill(list, ...(faults.length === 0 ? [none] : faults.map(faultRow)));
    },
  };
}

function rateLimit(): Card {
  const limit = h('p', {});
  const rate = h('input', { id: 'fault-rate', type: 'number', min: 1, value: 5 });
  const set = () => void api.limitRate({ requestsPerSecond: rate.valueAsNumber });
  const fields = h(
    'div',
    { class: 'fields' },
    h('label', { for: 'fault-rate' }, 'Requests per second', rate),
    button('Limit', set),
    button('Lift', () => void api.liftRateLimit()),
  );
  return {
    element: h('section', { class: 'card' }, h('h2', {}, 'Rate limit'), limit, fields),
    show(_, { rateLimit }) {
      fill(
        limit,
        rateLimit === null
          ? 'No limit.'
          : `${rateLimit.requestsPerSecond} requests per second, then 429 with Retry-After.`,
      );
    },
  };
}

function kindOfService(): Card {
  const options = h('div', {});
  const set = () => {
    const chosen = PRESET_NAMES.find((name) => name === preset.value);
    if (chosen !== undefined) void api.setProfile({ preset: chosen });
  };
  const preset = h(
    'select',
    { id: 'preset', change: set },
    ...[...PRESET_NAMES, OWN].map((name) => h('option', { value: name, disabled: name === OWN }, name)),
  );
  const element = h(
    'section',
    { class: 'card' },
    h('h2', {}, 'Kind of service'),
    h('p', { class: 'hint' }, 'The API does not define how a service does these things.'),
    h('div', { class: 'fields' }, h('label', { for: 'preset' }, 'Kind', preset)),
    options,
  );
  return {
    element,
    show(_, { profile }) {
      preset.value = presetOf(profile) ?? OWN;
      const unusual = differences(profile, PRESETS.default);
      const rows = Object.entries(profile).map(([name, value]) => [
        name,
        badge(String(value), unusual.includes(name) ? 'warn' : 'plain'),
        descriptionOf(name),
      ]);
      fill(options, table(['Option', 'Value', 'What it is'], rows));
    },
  };
}

function faultRow(fault: Fault): HTMLElement {
  const { route = 'any', address, every = 1 } = fault;
  const what = describeFault(fault);
  const off = button('Off', () => void api.removeFault(fault.id), 'close');
  off.setAttribute('aria-label', `Off: ${what}`);
  return h(
    'div',
    { class: 'fault' },
    h(
      'span',
      { class: 'grow' },
      `${what} `,
      badge(route === 'any' ? 'any endpoint' : route),
      ' ',
      address === undefined ? undefined : badge(address),
      ' ',
      badge(remaining(fault) === Infinity ? `every ${every}` : `next ${remaining(fault)}`),
      fault.hits > 0 ? ` hit ${fault.hits}` : undefined,
    ),
    off,
  );
}
