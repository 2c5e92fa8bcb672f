import { listed } from 'audience-core/internal';
import type * as z from 'zod/mini';
import type { Account } from '../account/account.js';
import type { Collection } from '../account/collection.js';
import {
  contactFilterSchema,
  contactRecordSchema,
  type ContactFilter,
  type ContactRecord,
} from '../account/contact-record.js';
import { eventRecordSchema, type EmailRecord, type EventRecord } from '../account/records.js';
import { emailFilterSchema, eventFilterSchema, type EmailFilter, type EventFilter } from './filters.js';
import { sentEmail, sentEmailSchema, type SentEmail } from '../mail/email.js';
import { SandboxError } from '../sandbox-error.js';

/** A kind of thing that can be looked for. What is stored has the names that its filter has. */
export interface Kind<Stored extends { readonly id: string }, Item, Filter> {
  readonly noun: 'email' | 'event' | 'contact';
  readonly filter: z.ZodMiniType<Filter>;
  readonly item: z.ZodMiniType<Item>;
  collection(account: Account): Collection<Stored>;
  view(account: Account, stored: Stored): Item;
  /** Values of a field that has several; one must fit. */
  values?(stored: Stored, name: string): readonly unknown[] | undefined;
  /** @throws SandboxError 400 for a filter that names what the account does not have */
  check?(account: Account, filter: Filter): void;
}

export const emailKind: Kind<EmailRecord, SentEmail, EmailFilter> = {
  noun: 'email',
  filter: emailFilterSchema,
  item: sentEmailSchema,
  collection: (account) => account.emails,
  view: sentEmail,
  values: ({ design, transactionalId }, name) => (name === 'design' ? [design, transactionalId] : undefined),
  check({ designs, automations }, { design }) {
    if (design === undefined || designs.has(design)) return;
    const names = [...designs.values(), ...automations.values()].map(({ name }) => name);
    if (!names.includes(design))
      throw new SandboxError({
        code: 'no_design_or_automation',
        name: design,
        known: listed(names, String, 10),
      });
  },
};

export const eventKind: Kind<EventRecord, EventRecord, EventFilter> = {
  noun: 'event',
  filter: eventFilterSchema,
  item: eventRecordSchema,
  collection: (account) => account.events,
  view: (_, event) => event,
};

export const contactKind: Kind<ContactRecord, ContactRecord, ContactFilter> = {
  noun: 'contact',
  filter: contactFilterSchema,
  item: contactRecordSchema,
  collection: (account) => account.contacts,
  view: (_, contact) => contact,
};
