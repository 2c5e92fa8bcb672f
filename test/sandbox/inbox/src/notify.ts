import { api } from './api.js';
import { announce } from './dom.js';

/** Tells of new emails outside of the page, once the person has asked for it and the browser allows it. */
export class Notifier {
  #latest: string | undefined;

  /** @param button what switches it on; hidden where the browser knows no notifications */
  constructor(private readonly button: HTMLElement) {
    this.button.hidden = !('Notification' in window) || Notification.permission !== 'default';
    this.button.addEventListener('click', () => void this.#allow());
  }

  async #allow(): Promise<void> {
    const permission = await Notification.requestPermission();
    this.button.hidden = permission !== 'default';
    announce(
      permission === 'granted'
        ? 'Notifications for new emails are on'
        : 'The browser does not allow notifications',
    );
    if (permission !== 'granted') return;
    // Emails that exist at the start are no news.
    this.#latest = undefined;
    await this.look();
  }

  /** To be called when emails may have changed. */
  async look(): Promise<void> {
    // As it was when the email came: what was there before the person agreed is no news.
    const isAllowed = 'Notification' in window && Notification.permission === 'granted';
    const { items } = await api.emails({ search: '', offset: 0, limit: 1 });
    const newest = items[0];
    const isFirstLook = this.#latest === undefined;
    const isNew = newest !== undefined && newest.id !== this.#latest && !newest.read;
    this.#latest = newest?.id ?? '';
    if (isFirstLook || !isNew || !isAllowed) return;
    const notification = new Notification(newest.subject === '' ? '(no subject)' : newest.subject, {
      body: `To ${newest.to}`,
      tag: newest.id,
    });
    notification.addEventListener('click', () => {
      focus();
      location.hash = `#/emails/${encodeURIComponent(newest.id)}`;
    });
  }
}
