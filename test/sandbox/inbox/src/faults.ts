import { api, type Status } from './api.js';
import { announce, button, fill, h } from './dom.js';
import type { View } from './lists.js';
import { badge, head } from './parts.js';
import { describeFault, EFFECTS, MOMENTS, remaining, ROUTES, type Fault } from '../../src/faults/fault.js';
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
  const select = (id: string, ...values: readonly string[]) =>
    h('select', { id }, ...values.map((value) => h('option', { value }, value)));
  const number = (id: string, min: number, value: number) =>
    h('input', { id, type: 'number', min, value, required: true });
  const route = select('fault-route', ...ROUTES);
  const address = h('input', { id: 'fault-address', placeholder: 'any' });
  const times = number('fault-times', 1, 1);
  const onlyDelay = 'only delay';
  const effect = select('fault-effect', ...EFFECTS, onlyDelay);
  const status = number('fault-status', 200, 503);
  const when = select('fault-when', ...MOMENTS);
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
  return h(
    'section',
    { class: 'card' },
    h('h2', {}, 'Make the next calls fail'),
    h(
      'div',
      { class: 'fields' },
      ...[field('On', route), field('Email or userId', address), field('The next', times)],
      ...[field('What happens', effect), field('Status', status)],
      ...[field('Before, during or after the call', when), field('Delay in ms', delay)],
      button('Set', () => void set()),
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
      limit.textContent =
        rateLimit === null
          ? 'No limit.'
          : `${rateLimit.requestsPerSecond} requests per second, then 429 with Retry-After.`;
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
