import { isDeepStrictEqual } from 'node:util';
import type { Profile } from 'audience-sandbox';

/** What a call should be answered with; the body only where it is given. */
export interface Expected {
  readonly status: number;
  readonly body?: unknown;
}
export type Type = 'string' | 'number' | 'boolean' | 'date';
export type Value = string | number | boolean;

/** Fields of a mail, an event or an update as the commands send them; only an update knows `subscribed` and `null`. */
export interface Fields {
  readonly email?: string;
  readonly userId?: string | null;
  readonly firstName?: string | null;
  readonly subscribed?: boolean;
  readonly groups?: Readonly<Record<string, boolean>>;
  readonly values?: Readonly<Record<string, Value | null>>;
  readonly key?: string;
}
interface Contact {
  /** When it can be read and updated. */
  readonly shownFrom: number;
  email?: string;
  userId?: string;
  firstName?: string;
  subscribed: boolean;
  groups: Record<string, boolean>;
  values: Record<string, Value | null>;
}

/** Of an email's key; the interface names it for emails only. */
const EMAIL_KEY_LIFETIME_MS = 24 * 60 * 60 * 1000;
const DONE: Expected = { status: 200, body: { success: true } };

/** What the account does not allow. */
const refuse = (status: number): Expected => ({ status });

/** The service in as few words as will do, written from the interface and not from the sandbox. */
export class Model {
  readonly designs = ['d1', 'd2'];
  readonly groups = ['g1', 'g2'];
  readonly properties = new Map<string, Type>([['seats', 'number']]);
  readonly #shownFrom = new Map<string, number>();
  readonly contacts: Contact[] = [];
  readonly mails: string[] = [];
  readonly events: string[] = [];
  readonly #keys = new Map<string, { payload: unknown; at: number }>();
  now = 0;

  constructor(private readonly profile: Profile) {}

  send(fields: Fields, design: string, addToAudience: boolean): Expected {
    const { email, userId, firstName, groups } = fields;
    if (email === undefined && !(addToAudience && userId !== undefined)) return { status: 400 };
    if (!addToAudience && (firstName !== undefined || groups !== undefined)) return { status: 400 };
    return this.#once('mail', fields, [design, addToAudience], () => {
      if (!this.#known(fields)) return refuse(400);
      if (!this.designs.includes(design)) return refuse(404);
      if (addToAudience && this.#torn(fields)) return refuse(400);
      const to = email ?? this.#find(undefined, userId)?.email;
      if (to === undefined) return refuse(404);
      if (addToAudience) this.#match(fields);
      this.mails.push(to);
      return DONE;
    });
  }

  event(fields: Fields, name: string): Expected {
    if (fields.email === undefined && fields.userId === undefined) return { status: 400 };
    return this.#once('event', fields, [name], () => {
      if (!this.#known(fields)) return refuse(400);
      if (this.#torn(fields)) return refuse(400);
      const contact = this.#match(fields);
      this.events.push(name);
      if (name === 'go' && contact.email !== undefined && contact.subscribed) this.mails.push(contact.email);
      return DONE;
    });
  }

  update(identifier: string, fields: Fields): Expected {
    if (fields.subscribed === true) return { status: 400 };
    if (!this.#known(fields)) return refuse(400);
    const contact = this.#at(identifier);
    if (contact === undefined) return refuse(404);
    const email = fields.email ?? contact.email;
    const userId = fields.userId === undefined ? contact.userId : (fields.userId ?? undefined);
    const moves = email?.toLowerCase() !== contact.email?.toLowerCase();
    if ((moves && contact.userId !== identifier) || (email ?? userId) === undefined) return refuse(400);
    const taken = [this.#find(email), this.#find(undefined, userId)];
    if (taken.some((other) => other !== undefined && other !== contact)) return refuse(400);
    this.#write(contact, { ...fields, email, userId: userId ?? null });
    if (fields.subscribed === false) contact.subscribed = false;
    return { status: 200 };
  }

  read(identifier: string): Expected {
    const contact = this.#at(identifier);
    if (contact === undefined) return { status: 404 };
    const names = [...this.properties.keys()];
    const values = Object.fromEntries(names.map((name) => [name, contact.values[name] ?? null]));
    const { email = null, userId = null, firstName = null, subscribed, groups } = contact;
    const body = { email, userId, firstName, subscribed, subscriptionGroups: groups, ...values };
    const set = Object.entries(body).filter(([, value]) => value !== null);
    return { status: 200, body: this.profile.unset === null ? body : Object.fromEntries(set) };
  }

  /** The keys and types of the properties that are visible. */
  listed(): { key: string; type: Type }[] {
    const all = [...this.properties].map(([key, type]) => ({ key, type }));
    return all.filter(({ key }) => this.now >= (this.#shownFrom.get(key) ?? 0));
  }

  create(name: string, type: Type): Expected {
    const reserved = ['email', 'source', 'createdAt', 'id'].includes(name);
    if (reserved || !/^[a-z][a-zA-Z0-9]*$/.test(name)) return { status: 400 };
    if (this.properties.has(name)) return refuse(409);
    this.properties.set(name, type);
    this.#shownFrom.set(name, this.now + this.profile.visibleAfterMs);
    return DONE;
  }

  #at(identifier: string): Contact | undefined {
    const contact = this.#find(identifier) ?? this.#find(undefined, identifier);
    return contact !== undefined && this.now >= contact.shownFrom ? contact : undefined;
  }

  #once(endpoint: string, { key, ...fields }: Fields, rest: unknown[], act: () => Expected): Expected {
    if (key === undefined) return act();
    if (key.length > 100) return { status: 400 };
    const payload = [fields, rest];
    const used = this.#keys.get(endpoint + key);
    const lifetime = endpoint === 'event' ? this.profile.eventKeyLifetimeMs : EMAIL_KEY_LIFETIME_MS;
    if (used !== undefined && this.now - used.at < lifetime) {
      const replays = this.profile.duplicates === 'replay' && isDeepStrictEqual(used.payload, payload);
      return replays ? DONE : { status: 409 };
    }
    const answer = act();
    if (answer === DONE) this.#keys.set(endpoint + key, { payload, at: this.now });
    return answer;
  }

  #known({ groups = {}, values = {} }: Fields): boolean {
    if (Object.keys(groups).some((id) => !this.groups.includes(id))) return false;
    return Object.entries(values).every(([name, value]) => {
      const type = this.properties.get(name);
      if (type === undefined || value === null) return type !== undefined;
      return type === 'date' ? Number.isInteger(value) : typeof value === type;
    });
  }

  #torn({ email, userId }: Fields): boolean {
    const [byEmail, byUserId] = [this.#find(email), this.#find(undefined, userId)];
    return byEmail !== undefined && byUserId !== undefined && byEmail !== byUserId;
  }

  #match(fields: Fields): Contact {
    const found = this.#find(fields.email) ?? this.#find(undefined, fields.userId);
    const shownFrom = this.now + this.profile.visibleAfterMs;
    const contact = found ?? { shownFrom, subscribed: true, groups: {}, values: {} };
    if (found === undefined) this.contacts.push(contact);
    this.#write(contact, fields);
    return contact;
  }

  #write(contact: Contact, { email, userId, firstName, groups, values }: Fields): void {
    if (email !== undefined) contact.email = email;
    if (userId !== undefined) contact.userId = userId ?? undefined;
    if (firstName !== undefined) contact.firstName = firstName ?? undefined;
    Object.assign(contact.groups, groups);
    Object.assign(contact.values, values);
  }

  #find(email?: string, userId?: string | null): Contact | undefined {
    const same = (one: Contact) =>
      one.email !== undefined && one.email.toLowerCase() === email?.toLowerCase();
    return this.contacts.find((one) => same(one) || (one.userId !== undefined && one.userId === userId));
  }
}
