import { api, type Status } from './api.js';
import { announce, button, fill, h } from './dom.js';
import type { View } from './lists.js';
import { badge, head } from './parts.js';
import {
  describeFault,
  EFFECT_NAMES,
  EFFECTS,
  MOMENTS,
  remaining,
  ROUTES,
  type Fault,
} from '../../src/faults/fault.js';
import { reasonOf } from '../../src/reason.js';

/** A part of the page that shows what the sandbox has set. */
interface Card {
  readonly element: HTMLElement;
  show(faults: readonly Fault[], status: Status): void;
}

/** Faults, switched on and off. */
export function faultsView(): View {
  const cards = [switchedOn(), rateLimit()];
  const refresh = async () => {
    const [faults, status] = await Promise.all([api.faults(), api.status()]);
    for (const card of cards) card.show(faults, status);
  };
  const body = h('div', { class: 'page' }, newFault(), ...cards.map(({ element }) => element));
  return {
    name: 'faults',
    title: 'Faults',
    kinds: ['faults'],
    element: h('div', { class: 'view' }, h('header', { class: 'bar' }, h('h1', {}, 'Faults')), body),
    show: () => void refresh(),
    refresh: () => void refresh(),
  };
}

function newFault(): HTMLElement {
  const select = (id: string, ...options: readonly (readonly [value: string, text: string])[]) =>
    h('select', { id }, ...options.map(([value, text]) => h('option', { value }, text)));
  const number = (id: string, min: number, value: number) =>
    h('input', { id, type: 'number', min, value, required: true });
  const route = select('fault-route', ...ROUTES.map((name) => [name, endpointOf(name)] as const));
  const address = h('input', { id: 'fault-address', placeholder: 'any' });
  const times = number('fault-times', 1, 1);
  const onlyDelay = 'delay';
  const effects = EFFECTS.map((name) => [name, EFFECT_NAMES[name]] as const);
  const effect = select('fault-effect', ...effects, [onlyDelay, 'only a delay']);
  const status = number('fault-status', 200, 503);
  const when = select('fault-when', ...MOMENTS.map((name) => [name, `${name} processing`] as const));
  const delay = number('fault-delay', 0, 0);
  const given = () => (effect.value === 'respond' ? { status: status.valueAsNumber } : true);
  const set = () =>
    api
      .setFault({
        route: route.value,
        ...(address.value === '' ? {} : { address: address.value }),
        times: times.valueAsNumber,
        ...(effect.value === onlyDelay ? {} : { [effect.value]: given() }),
        when: when.value,
        delayMs: delay.valueAsNumber,
      })
      .then(() => announce('Fault set'))
      .catch((error: unknown) => announce(reasonOf(error)));
  const field = (text: string, input: HTMLElement) => h('label', { for: input.id }, text, input);
  const statusField = field('Status', status);
  effect.addEventListener('change', () => (statusField.hidden = effect.value !== 'respond'));
  return h(
    'section',
    { class: 'card' },
    h('h2', {}, 'Make the next requests fail'),
    h(
      'div',
      { class: 'fields' },
      ...[field('Number of requests', times), field('Endpoint', route), field('Email or userId', address)],
      ...[field('Result', effect), statusField, field('When', when), field('Delay in ms', delay)],
      button('Set', () => void set()),
    ),
  );
}

const endpointOf = (route: string) => (route === 'any' ? 'any endpoint' : route);

function switchedOn(): Card {
  const list = h('div', {});
  const remove = button(
    'Remove all',
    () => void api.clearFaults().then(() => announce('All faults removed')),
  );
  return {
    element: h('section', { class: 'card' }, head('Faults that are set', remove), list),
    show(faults) {
      const none = h('p', { class: 'hint' }, 'None: every call works as it should.');
      fill(list, ...(faults.length === 0 ? [none] : faults.map(faultRow)));
      remove.hidden = faults.length === 0;
    },
  };
}

function rateLimit(): Card {
  const limit = h('p', {});
  const rate = h('input', { id: 'fault-rate', type: 'number', min: 1, value: 5 });
  const set = () => void api.limitRate({ requestsPerSecond: rate.valueAsNumber });
  const remove = button('Remove the limit', () => void api.liftRateLimit());
  const fields = h(
    'div',
    { class: 'fields' },
    h('label', { for: 'fault-rate' }, 'Requests per second', rate),
    button('Set the limit', set),
    remove,
  );
  return {
    element: h('section', { class: 'card' }, h('h2', {}, 'Rate limit'), limit, fields),
    show(_, { rateLimit }) {
      remove.hidden = rateLimit === null;
      limit.textContent =
        rateLimit === null
          ? 'No limit.'
          : `${rateLimit.requestsPerSecond} requests per second, then 429 with Retry-After.`;
    },
  };
}

function faultRow(fault: Fault): HTMLElement {
  const { route = 'any', address, every = 1, hits } = fault;
  const what = describeFault(fault);
  const left = remaining(fault);
  const remove = button('Remove', () => void api.removeFault(fault.id), 'close');
  remove.setAttribute('aria-label', `Remove: ${what}`);
  const turns = every === 1 ? 'each request' : `every ${every} requests`;
  const badges = [
    badge(endpointOf(route)),
    address === undefined ? undefined : badge(address),
    every === 1 && left !== Infinity ? undefined : badge(turns),
    left === Infinity ? undefined : badge(`${left} left`),
    badge(hits === 0 ? 'no hit yet' : `hits: ${hits}`, hits === 0 ? 'plain' : 'warn'),
  ];
  return h('div', { class: 'fault' }, h('span', { class: 'grow badge-line' }, what, ...badges), remove);
}
