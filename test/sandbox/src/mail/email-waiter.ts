import * as z from 'zod';
import type { Account } from '../account/account.js';
import type { EmailRecord } from '../account/records.js';
import { readAs } from '../service/sandbox-error.js';
import { sentEmail } from './email.js';
import type { SentEmail } from './email.js';

const emailFilterSchema = z.strictObject({
  /** Recipient's address. */
  to: z.string().optional().describe("Recipient's address."),
  /** Id or name of the design, or name of the automation. */
  design: z.string().optional().describe('Id or name of the design, or name of the automation.'),
  /** Name of the event that triggered it. */
  eventName: z.string().optional().describe('Name of the event that triggered it.'),
  /** Idempotency key it was sent with. */
  key: z.string().optional().describe('Idempotency key it was sent with.'),
  /** Id of a mail: only mails after that one are meant. */
  after: z.string().optional().describe('Id of a mail: only mails after that one are meant.'),
});

/** Which mail is meant; all that is given must fit. */
export type EmailFilter = z.infer<typeof emailFilterSchema>;

/** How long to wait for a mail unless told, in milliseconds. */
const DEFAULT_WAIT_MS = 5_000;

/** Longest wait for a mail, in milliseconds. */
const MAX_WAIT_MS = 60_000;

export const emailWaitSchema = emailFilterSchema.extend({
  timeoutMs: z
    .int()
    .min(0)
    .max(MAX_WAIT_MS)
    .optional()
    .describe(`How long to wait at most, in milliseconds; ${DEFAULT_WAIT_MS} unless given.`),
});

/** Which mail to wait for, and for how long. */
export type EmailWait = z.infer<typeof emailWaitSchema>;

/** No mail that fits arrived in time. */
export class EmailWaitError extends Error {
  override readonly name = 'EmailWaitError';
}

interface Waiting {
  readonly filter: EmailFilter;
  readonly found: (email: EmailRecord) => void;
}

/** Lets callers wait for a mail, whether it is there already or still to come. */
export class EmailWaiter {
  readonly #waiting = new Set<Waiting>();

  constructor(
    private readonly account: Account,
    private readonly closing: AbortSignal,
  ) {}

  /** To be called when mails have changed. */
  look(): void {
    for (const waiting of this.#waiting) {
      const email = findEmail(this.account, waiting.filter);
      if (email !== undefined) waiting.found(email);
    }
  }

  /**
   * The first mail that fits, as soon as it is there.
   *
   * @throws EmailWaitError when none has come by then, its message tells what came instead; or when the sandbox is
   * closed meanwhile. SandboxError 400 that names what is wrong with the filter.
   */
  async wait(wanted: EmailWait): Promise<SentEmail> {
    const { timeoutMs = DEFAULT_WAIT_MS, ...filter } = readAs(emailWaitSchema, wanted);
    const there = findEmail(this.account, filter);
    if (there !== undefined) return sentEmail(this.account, there);
    let stop: () => void = () => undefined;
    try {
      const email = await new Promise<EmailRecord>((resolve, reject) => {
        const waiting = { filter, found: resolve };
        const giveUp = () => {
          reject(new EmailWaitError(this.#reason(filter, timeoutMs)));
        };
        const timer = setTimeout(giveUp, this.closing.aborted ? 0 : timeoutMs);
        this.closing.addEventListener('abort', giveUp);
        this.#waiting.add(waiting);
        stop = () => {
          clearTimeout(timer);
          this.closing.removeEventListener('abort', giveUp);
          this.#waiting.delete(waiting);
        };
      });
      return sentEmail(this.account, email);
    } finally {
      stop();
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
