import { PRESETS } from '../../src/profile.js';
import type { Status } from './api.js';
import { byId, fill, h } from './dom.js';
import { clock, shortTime, timeAgo } from './format.js';

/** What the sandbox's clock says, and what kind of service it is. */
export class StateLine {
  #time = 0;
  #stopped = false;
  #seen = 0;

  constructor() {
    setInterval(() => this.#tick(), 1000);
    clock.now = () => this.#now();
  }

  #now(): number {
    if (this.#seen === 0) return Date.now();
    return this.#stopped ? this.#time : this.#time + performance.now() - this.#seen;
  }

  show({ time, stopped, profile }: Status): void {
    this.#time = Date.parse(time);
    this.#stopped = stopped;
    this.#seen = performance.now();
    const usual = new Map<string, unknown>(Object.entries(PRESETS.default));
    const others = Object.entries(profile).filter(([name, value]) => usual.get(name) !== value);
    byId('profile').textContent =
      others.map(([name, value]) => `${name}: ${String(value)}`).join(', ') || 'default';
    this.#tick();
  }

  #tick(): void {
    for (const ago of document.querySelectorAll('time.ago')) {
      if (ago instanceof HTMLTimeElement) ago.textContent = timeAgo(ago.dateTime);
    }
    if (this.#seen === 0) return;
    const now = this.#now();
    const isMoved = Math.abs(now - Date.now()) > 60_000;
    const remark = this.#stopped ? 'stopped' : isMoved ? 'moved' : undefined;
    const timestamp = new Date(now).toISOString();
    fill(
      byId('clock'),
      h('time', { datetime: timestamp }, shortTime(timestamp)),
      remark === undefined ? undefined : h('span', { class: 'badge warn' }, remark),
    );
  }
}
