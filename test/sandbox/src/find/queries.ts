import type { ContactFilter, ContactRecord } from '../account/contact-record.js';
import type { EventRecord } from '../account/records.js';
import type { SentEmail } from '../mail/email.js';
import type { EmailFilter, EventFilter } from './filters.js';

/** How long to wait. */
export interface Patience {
  /** At most so long, in milliseconds: 4,000 unless given, and up to 60,000. 0 looks once. */
  readonly timeoutMs?: number | undefined;
}

/**
 * What a test asks of a sandbox, whether the sandbox runs in its own process or elsewhere. A filter holds values; all
 * that is given must fit, and within `variables` and `properties` others may be there too.
 */
export interface SandboxQueries {
  /** The emails that were sent, the oldest first. */
  emails(filter?: EmailFilter): Promise<SentEmail[]>;
  /** The events that were received, the oldest first. */
  events(filter?: EventFilter): Promise<EventRecord[]>;
  contacts(filter?: ContactFilter): Promise<ContactRecord[]>;
  /** The contact with an email address, userId or id; `undefined` where there is none. */
  contact(identifier: string): Promise<ContactRecord | undefined>;
  /**
   * The first email that fits, as soon as it is there; with `after`, the first one after that email.
   *
   * @throws SandboxError when none came in time; the message shows the closest one, field by field
   */
  waitForEmail(filter?: EmailFilter & Patience): Promise<SentEmail>;
  /** The first event that fits. @throws SandboxError when none came in time */
  waitForEvent(filter?: EventFilter & Patience): Promise<EventRecord>;
  /** The first contact that fits. @throws SandboxError when there was none in time */
  waitForContact(filter?: ContactFilter & Patience): Promise<ContactRecord>;
  /**
   * Deletes a contact, as a user of the service can: from then on it responds with 404.
   *
   * @param identifier email address, userId or id
   * @throws SandboxError when there is none
   */
  deleteContact(identifier: string): Promise<void>;
}
