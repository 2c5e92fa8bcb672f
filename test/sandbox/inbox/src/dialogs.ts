import { announce, button, h } from './dom.js';

/** Asks before something is removed; Escape and Cancel change nothing. */
export function ask(question: string, consequence: string, verb: string, act: () => void): void {
  const close = () => dialog.close();
  const dialog = h(
    'dialog',
    { 'aria-labelledby': 'question', close: () => dialog.remove() },
    h('h2', { id: 'question' }, question),
    h('p', {}, consequence),
    h(
      'div',
      { class: 'buttons end' },
      button('Cancel', close),
      h(
        'button',
        {
          class: 'button danger',
          click: () => {
            close();
            act();
          },
        },
        verb,
      ),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}

/** A button that copies a text, and says whether it could. */
export function copyButton(label: string, text: () => string): HTMLElement {
  const copy = () =>
    void navigator.clipboard.writeText(text()).then(
      () => announce('Copied'),
      () => announce('The browser did not allow copying. Select the text and copy it'),
    );
  return button(label, copy, 'copy');
}
