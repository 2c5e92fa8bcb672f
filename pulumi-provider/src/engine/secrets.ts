import { isRecord } from 'audience-core/internal';
import type { Reporter } from '../resources/host.js';

const HIDDEN = '[secret]';

/** Values that a program marks as secret: no message shows them. */
export class Secrets {
  readonly #texts = new Map<string, RegExp>();

  /** Adds a secret value, and all values in it. */
  add(value: unknown): void {
    // Small numbers occur in messages for other reasons, and no message shows a contact's number.
    if (typeof value === 'string' || (typeof value === 'number' && Math.abs(value) > 999))
      this.#addText(String(value));
    else if (Array.isArray(value)) for (const inner of value) this.add(inner);
    else if (isRecord(value)) for (const inner of Object.values(value)) this.add(inner);
  }

  hide(message: string): string {
    let hidden = message;
    for (const pattern of this.#texts.values()) hidden = hidden.replaceAll(pattern, HIDDEN);
    return hidden;
  }

  hiddenFrom(reporter: Reporter): Reporter {
    return {
      info: (message) => reporter.info(this.hide(message)),
      warn: (message) => reporter.warn(this.hide(message)),
    };
  }

  /** URL-encoded too: a message may show a path. */
  #addText(text: string): void {
    if (this.#texts.has(text)) return;
    for (const form of [text, encodeURIComponent(text.toWellFormed())]) {
      if (form === '' || this.#texts.has(form)) continue;
      const literal = form.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
      this.#texts.set(form, new RegExp(`(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, 'giu'));
    }
  }
}
