import { Collection } from './collection.js';
import type { ContactRecord } from './contact-record.js';

export class ContactCollection extends Collection<ContactRecord> {
  readonly #byEmail = new Map<string, string>();
  readonly #byUserId = new Map<string, string>();

  byEmail(email: string): ContactRecord | undefined {
    return this.#find(this.#byEmail.get(email.toLowerCase()));
  }

  byUserId(userId: string): ContactRecord | undefined {
    return this.#find(this.#byUserId.get(userId));
  }

  /** The contact that an email address, a userId or an id of the service names. */
  named(identifier: string): ContactRecord | undefined {
    return this.byEmail(identifier) ?? this.byUserId(identifier) ?? this.get(identifier);
  }

  #find(id: string | undefined): ContactRecord | undefined {
    return id === undefined ? undefined : this.get(id);
  }

  protected override keep(contact: ContactRecord): void {
    this.#unindex(this.get(contact.id));
    super.keep(contact);
    if (contact.email !== null) this.#byEmail.set(contact.email.toLowerCase(), contact.id);
    if (contact.userId !== null) this.#byUserId.set(contact.userId, contact.id);
  }

  protected override drop(id: string): void {
    this.#unindex(this.get(id));
    super.drop(id);
  }

  protected override dropAll(): void {
    this.#byEmail.clear();
    this.#byUserId.clear();
    super.dropAll();
  }

  #unindex(contact: ContactRecord | undefined): void {
    if (contact === undefined) return;
    if (contact.email !== null) this.#byEmail.delete(contact.email.toLowerCase());
    if (contact.userId !== null) this.#byUserId.delete(contact.userId);
  }
}
