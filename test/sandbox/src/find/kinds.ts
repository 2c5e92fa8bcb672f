import type * as z from 'zod/mini';
import type { Account } from '../account/account.js';
import {
  contactFilterSchema,
  contactRecordSchema,
  type ContactFilter,
  type ContactRecord,
} from '../account/contact-record.js';
import { eventRecordSchema, type EmailRecord, type EventRecord } from '../account/records.js';
import { emailFilterSchema, eventFilterSchema, type EmailFilter, type EventFilter } from './filters.js';
import { sentEmail, sentEmailSchema, type SentEmail } from '../mail/email.js';

/** A kind of thing that can be looked for. What is stored has the names that its filter has. */
export interface Kind<Stored extends { readonly id: string }, Item, Filter> {
  readonly noun: 'email' | 'event' | 'contact';
  readonly filter: z.ZodMiniType<Filter>;
  readonly item: z.ZodMiniType<Item>;
  all(account: Account): Iterable<Stored>;
  view(account: Account, stored: Stored): Item;
  /** Values of a field that has several; one must fit. */
  values?(stored: Stored, name: string): readonly unknown[] | undefined;
}

export const emailKind: Kind<EmailRecord, SentEmail, EmailFilter> = {
  noun: 'email',
  filter: emailFilterSchema,
  item: sentEmailSchema,
  all: (account) => account.emails.values(),
  view: sentEmail,
  values: ({ design, transactionalId }, name) => (name === 'design' ? [design, transactionalId] : undefined),
};

export const eventKind: Kind<EventRecord, EventRecord, EventFilter> = {
  noun: 'event',
  filter: eventFilterSchema,
  item: eventRecordSchema,
  all: (account) => account.events.values(),
  view: (_, event) => event,
};

export const contactKind: Kind<ContactRecord, ContactRecord, ContactFilter> = {
  noun: 'contact',
  filter: contactFilterSchema,
  item: contactRecordSchema,
  all: (account) => account.contacts.values(),
  view: (_, contact) => contact,
};
