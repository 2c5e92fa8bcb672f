import { api, type Design } from './api.js';
import { announce, button, h } from './dom.js';
import { reasonOf } from '../../src/reason.js';

/** Asks for the variables of a design, and sends it as a program would. */
export function sendTest({ id, name, dataVariables }: Design): void {
  const to = h('input', { type: 'email', name: 'to', required: true, value: 'test@example.com' });
  const fields = dataVariables.map((variable) => ({ variable, field: h('input', { name: variable }) }));
  const close = () => dialog.close();
  const send = async () => {
    const given = fields.filter(({ field }) => field.value !== '');
    const values = given.map(({ variable, field }): [string, unknown] => [variable, valueOf(field.value)]);
    const email = { email: to.value, transactionalId: id, dataVariables: Object.fromEntries(values) };
    await api.sendEmail(email).then(
      () => {
        close();
        announce('Sent');
        location.hash = '#/emails';
      },
      (error: unknown) => announce(reasonOf(error)),
    );
  };
  const form = h(
    'form',
    {
      method: 'dialog',
      submit: (event) => {
        event.preventDefault();
        void send();
      },
    },
    h('h2', { id: 'send-test' }, `Send a test of ${name}`),
    h('label', {}, 'To', to),
    ...fields.map(({ variable, field }) => h('label', {}, variable, field)),
    dataVariables.length === 0 ? undefined : h('p', { class: 'hint' }, 'Lists and objects as JSON.'),
    h('div', { class: 'buttons end' }, button('Cancel', close), h('button', { class: 'button' }, 'Send')),
  );
  const dialog = h('dialog', { 'aria-labelledby': 'send-test', close: () => dialog.remove() }, form);
  document.body.append(dialog);
  dialog.showModal();
}

/** A list or an object that is written as JSON; anything else is a text. */
function valueOf(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
