import { writeFileSync } from 'node:fs';
import { isRecord } from 'audience-core/internal';
import type { Answer } from '../src/contact-file/consent.js';
import { Random } from './random.js';
import { copied } from './read-file.js';
import { start } from './start.js';

const WEEKS = 8;
const MEMBERS = 16;
const ROUNDS = 4;
const OPTIONS = { createWithEvent: { eventName: 'joined' }, maxRemovals: MEMBERS };
/** The texts of a second column. */
const LEFT: Readonly<Record<string, Answer>> = { yes: 'no mail', '': 'mail' };

/**
 * A random history of a file that is exported anew each week: people change their minds, texts are new, columns come and
 * go, rows are missing, twice or invalid. A person follows the messages, and knows what each text means.
 */
export class WeeklyFiles {
  readonly faults: string[] = [];
  events = 0;
  readonly #world = start();
  readonly #members: readonly { readonly email: string; wish: Answer }[];
  #columns: unknown;
  #consent: unknown;
  readonly #random: Random;

  constructor(
    seed: number,
    private readonly file: string,
  ) {
    this.#random = new Random(seed);
    const members = Array.from({ length: MEMBERS }, (_, index) => `p${index}@x.io`);
    this.#members = members.map((email) => ({ email, wish: this.#wish() }));
    for (const { email } of this.#members) if (this.#chance(0.4)) this.#world.service.add({ email });
    this.#world.service.onEvent = ({ email }) => {
      this.events += 1;
      if (this.#wishOf(email) === 'no mail') this.faults.push(`${String(email)} gets the event`);
    };
    this.#world.service.onWrite = ({ email }, { subscribed }) => {
      if (subscribed === false && this.#wishOf(email) === 'mail')
        this.faults.push(`${String(email)} is unsubscribed`);
    };
  }

  async play(): Promise<void> {
    for (let week = 0; week < WEEKS; week += 1) {
      this.#world.service.forgetKeys();
      for (const member of this.#members) if (this.#chance(0.2)) member.wish = this.#wish();
      if (this.#chance(0.3)) this.#world.service.people.splice(0, 2);
      await this.#run(week);
    }
  }

  /** Follows the messages; what no answer solves is corrected in the file. */
  async #run(week: number): Promise<void> {
    const [hasStatus, hasUserId] = [this.#chance(0.7), this.#chance(0.5)];
    const hasLeft = !hasStatus || this.#chance(0.5);
    const present = this.#members.filter(() => this.#chance(0.8));
    const all = [...present, ...present.filter(() => this.#chance(0.1))].map((member) => {
      // Where the program reads both columns, one of them may say nothing.
      const isShared = hasStatus && hasLeft && ['Status', 'Left'].every((name) => this.#reads(name));
      const isHidden = isShared && member.wish === 'no mail' && this.#chance(0.3);
      const isLeft = member.wish === 'no mail' && (isHidden || !isShared || this.#chance(0.5));
      const said = {
        status: `${isHidden ? 'mail' : member.wish}/${this.#chance(0.3) ? week : 0}`,
        left: isLeft ? 'yes' : '',
      };
      const email = this.#chance(0.2) ? member.email.toUpperCase() : member.email;
      return { ...said, email, isFaulty: this.#chance(0.1) };
    });
    let errors: readonly string[] = [''];
    for (let round = 0; round < ROUNDS && errors.length > 0; round += 1) {
      const rows = all.map(({ email, status, left, isFaulty }) => {
        const isWrong = isFaulty && round < ROUNDS / 2;
        const own = isWrong && !hasUserId ? 'p\u200B@x.io' : email;
        return [own, `u-${email.replace(/@.*/, '').toLowerCase()}`, status, left, isWrong ? 'many' : 1];
      });
      const isThere = [true, hasUserId, hasStatus, hasLeft, true];
      const table = [['email', 'userId', 'Status', 'Left', 'seats'], ...rows];
      const lines = table.map((row) => row.filter((_, index) => isThere[index]).join());
      writeFileSync(this.file, `${lines.join('\n')}\n`);
      const inputs = { ...OPTIONS, file: this.file, columns: this.#columns, consent: this.#consent };
      ({ errors } = await this.#world.engine.up([{ type: 'contacts', name: 'people', inputs }]));
      this.#answer(copied(errors.join('\n')) ?? {});
    }
    const still = present.filter(({ email }) => this.#world.service.find(email)?.['subscribed'] === true);
    for (const { email, wish } of errors.length > 0 ? [] : still)
      if (wish === 'no mail') this.faults.push(`${email} stays subscribed`);
  }

  #reads(header: string): boolean {
    return isRecord(this.#consent) && header in this.#consent;
  }

  /** Copies what is printed, and says what each text means. Columns that say nothing of mail go. */
  #answer({ columns = this.#columns, consent }: Readonly<Record<string, unknown>>): void {
    this.#columns = columns;
    if (!isRecord(consent)) return;
    const said = Object.entries(consent).map(([header, texts]) => {
      const meant = (text: string) => (header === 'Left' ? LEFT[text] : text.replace(/\/.*/, ''));
      return [header, Object.fromEntries(Object.keys(texts ?? {}).map((text) => [text, meant(text)]))];
    });
    this.#consent = Object.fromEntries(said.filter(([header]) => header === 'Status' || header === 'Left'));
  }

  #wishOf(email: unknown): Answer | undefined {
    return this.#members.find((one) => one.email === String(email).toLowerCase())?.wish;
  }

  #chance(share: number): boolean {
    return this.#random.int(100) < share * 100;
  }

  #wish(): Answer {
    if (this.#chance(0.5)) return 'mail';
    return this.#chance(0.5) ? 'no mail' : 'skip';
  }
}
