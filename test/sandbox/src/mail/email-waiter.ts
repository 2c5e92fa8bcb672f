import { EventEmitter, once } from 'node:events';
import * as z from 'zod/mini';
import type { Account } from '../account/account.js';
import type { EmailRecord } from '../account/records.js';
import { readAs } from '../read-as.js';
import { sentEmail, type SentEmail } from './email.js';

const emailFilterSchema = z.strictObject({
  to: z.optional(z.string()).check(z.describe("Recipient's address.")),
  design: z.optional(z.string()).check(z.describe('Id or name of the design, or name of the automation.')),
  eventName: z.optional(z.string()).check(z.describe('Name of the event that triggered it.')),
  key: z.optional(z.string()).check(z.describe('Idempotency key it was sent with.')),
  after: z.optional(z.string()).check(z.describe('Id of a mail: only mails after that one are meant.')),
});

/** Which mail is meant; all that is given must fit. */
export type EmailFilter = z.infer<typeof emailFilterSchema>;

/** How long to wait for a mail unless told, in milliseconds. */
const DEFAULT_WAIT_MS = 5_000;

/** Longest wait for a mail, in milliseconds. */
const MAX_WAIT_MS = 60_000;

export const emailWaitSchema = z.extend(emailFilterSchema, {
  timeoutMs: z
    .optional(z.int().check(z.minimum(0), z.maximum(MAX_WAIT_MS)))
    .check(z.describe(`How long to wait at most, in milliseconds; ${DEFAULT_WAIT_MS} unless given.`)),
});

/** Which mail to wait for, and for how long. */
export type EmailWait = z.infer<typeof emailWaitSchema>;

/** No mail that fits arrived in time. */
export class EmailWaitError extends Error {
  override readonly name = 'EmailWaitError';
}

/** Lets callers wait for a mail, whether it is there already or still to come. */
export class EmailWaiter {
  readonly #changes = new EventEmitter().setMaxListeners(0);

  constructor(
    private readonly account: Account,
    private readonly closing: AbortSignal,
  ) {}

  /** To be called when mails have changed. */
  look(): void {
    this.#changes.emit('change');
  }

  /**
   * The first mail that fits, as soon as it is there.
   *
   * @throws EmailWaitError when the time is over or the sandbox closed; SandboxError for a filter that is wrong
   */
  async wait(wanted: EmailWait): Promise<SentEmail> {
    const { timeoutMs = DEFAULT_WAIT_MS, ...filter } = readAs(emailWaitSchema, wanted);
    const end = AbortSignal.any([this.closing, AbortSignal.timeout(timeoutMs)]);
    for (;;) {
      const email = findEmail(this.account, filter);
      if (email !== undefined) return sentEmail(this.account, email);
      if (end.aborted) throw new EmailWaitError(this.#reason(filter, timeoutMs));
      await once(this.#changes, 'change', { signal: end }).catch(() => undefined);
    }
  }

  #reason(filter: EmailFilter, timeoutMs: number): string {
    const wanted = Object.entries(filter).map(([name, value]) => `${name} '${value}'`);
    const email = `email${wanted.length === 0 ? '' : ` with ${wanted.join(', ')}`}`;
    if (this.closing.aborted) return `The sandbox was closed while an ${email} was waited for.`;
    const there = [...this.account.emails.values()]
      .slice(-5)
      .map(({ designName, to }) => `'${designName}' to ${to}`);
    return `No ${email} came within ${timeoutMs} ms. ${
      there.length === 0 ? 'The inbox is empty.' : `The latest in the inbox: ${there.join(', ')}.`
    }`;
  }
}

function findEmail(account: Account, filter: EmailFilter): EmailRecord | undefined {
  let reached = filter.after === undefined || !account.emails.has(filter.after);
  for (const email of account.emails.values()) {
    if (reached && fits(email, filter)) return email;
    if (email.id === filter.after) reached = true;
  }
  return undefined;
}

function fits(email: EmailRecord, { to, design, eventName, key }: EmailFilter): boolean {
  return (
    (to === undefined || email.to.toLowerCase() === to.toLowerCase()) &&
    (design === undefined || email.transactionalId === design || email.designName === design) &&
    (eventName === undefined || email.eventName === eventName) &&
    (key === undefined || email.idempotencyKey === key)
  );
}
