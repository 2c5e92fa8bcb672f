import { PRESETS, type Profile } from '../../src/profile.js';
import type { Status } from './api.js';
import { byId, fill, h } from './dom.js';
import { clock, shortTime, timeAgo } from './format.js';

/** Name of the kind of service that a profile is; none for one of its own. */
export function presetOf(profile: Profile): string | undefined {
  const same = (preset: Profile) => differences(profile, preset).length === 0;
  return Object.entries(PRESETS).find(([, preset]) => same(preset))?.[0];
}

/** Options in which a profile differs from another. */
export function differences(profile: Profile, from: Profile): readonly string[] {
  const values = new Map<string, unknown>(Object.entries(from));
  return Object.entries(profile).flatMap(([name, value]) => (values.get(name) === value ? [] : [name]));
}

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
    const others = differences(profile, PRESETS.default).length;
    byId('profile').textContent = presetOf(profile) ?? `default but for ${others}`;
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
