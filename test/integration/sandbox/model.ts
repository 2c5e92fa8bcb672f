import { createHash } from 'node:crypto';

/** What a call should be answered with; the body only where it is given. */
export interface Expected {
  readonly status: number;
  readonly body?: unknown;
}

export type Value = string | number | boolean;
export type Type = 'string' | 'number' | 'boolean' | 'date';

interface Contact {
  email?: string;
  userId?: string;
  firstName?: string;
  subscribed: boolean;
  groups: Record<string, boolean>;
  values: Record<string, Value>;
}

/** Fields of a mail or event as the commands send them. */
export interface Message {
  readonly email?: string;
  readonly userId?: string;
  readonly firstName?: string;
  readonly groups?: Readonly<Record<string, boolean>>;
  readonly values?: Readonly<Record<string, Value>>;
  readonly key?: string;
}

/** Fields of an update as the commands send them. */
export interface Change {
  readonly email?: string;
  readonly userId?: string | null;
  readonly firstName?: string | null;
  readonly subscribed?: boolean;
  readonly groups?: Readonly<Record<string, boolean>>;
  readonly values?: Readonly<Record<string, Value | null>>;
}

const DAY = 24 * 60 * 60 * 1000;
const DONE: Expected = { status: 200, body: { success: true } };

/** The service in as few words as will do, written from the interface and not from the sandbox. */
export class Model {
  readonly designs = ['d1', 'd2'];
  readonly groups = ['g1', 'g2'];
  readonly properties = new Map<string, Type>([['seats', 'number']]);
  readonly contacts: Contact[] = [];
  readonly mails: string[] = [];
  readonly events: string[] = [];
  readonly #keys = new Map<string, { print: string; at: number }>();
  now = 0;

  send(message: Message, design: string, addToAudience: boolean): Expected {
    if (message.email === undefined && !(addToAudience && message.userId !== undefined))
      return { status: 400 };
    if (!addToAudience && (message.firstName !== undefined || message.groups !== undefined))
      return { status: 400 };
    return this.#once('mail', message, [design, addToAudience], () => {
      if (!this.#known(message)) return { status: 400 };
      if (!this.designs.includes(design)) return { status: 404 };
      if (addToAudience && this.#torn(message)) return { status: 400 };
      const to = message.email ?? this.#byUserId(message.userId)?.email;
      if (to === undefined) return { status: 404 };
      if (addToAudience) this.#match(message);
      this.mails.push(to);
      return DONE;
    });
  }

  event(message: Message, name: string): Expected {
    if (message.email === undefined && message.userId === undefined) return { status: 400 };
    return this.#once('event', message, [name], () => {
      if (!this.#known(message) || this.#torn(message)) return { status: 400 };
      const contact = this.#match(message);
      this.events.push(name);
      if (name === 'go' && contact.email !== undefined && contact.subscribed) this.mails.push(contact.email);
      return DONE;
    });
  }

  update(identifier: string, change: Change): Expected {
    if (change.subscribed === true) return { status: 400 };
    if (!this.#known(change)) return { status: 400 };
    const contact = this.#at(identifier);
    if (contact === undefined) return { status: 404 };
    const email = change.email ?? contact.email;
    const userId = change.userId === undefined ? contact.userId : (change.userId ?? undefined);
    if (email?.toLowerCase() !== contact.email?.toLowerCase() && contact.userId !== identifier)
      return { status: 400 };
    if (email === undefined && userId === undefined) return { status: 400 };
    if (
      this.contacts.some(
        (other) =>
          other !== contact &&
          (same(other.email, email) || (userId !== undefined && other.userId === userId)),
      )
    ) {
      return { status: 409 };
    }
    Object.assign(contact, { email, userId });
    if (change.firstName !== undefined) contact.firstName = change.firstName ?? undefined;
    if (change.subscribed === false) contact.subscribed = false;
    Object.assign(contact.groups, change.groups);
    for (const [name, value] of Object.entries(change.values ?? {})) {
      if (value === null) Reflect.deleteProperty(contact.values, name);
      else contact.values[name] = value;
    }
    return { status: 200 };
  }

  read(identifier: string): Expected {
    const contact = this.#at(identifier);
    if (contact === undefined) return { status: 404 };
    const values = Object.fromEntries(
      [...this.properties.keys()].map((name) => [name, contact.values[name] ?? null]),
    );
    const { email = null, userId = null, firstName = null, subscribed, groups } = contact;
    return {
      status: 200,
      body: { email, userId, firstName, subscribed, subscriptionGroups: groups, ...values },
    };
  }

  create(name: string, type: Type): Expected {
    if (!/^[a-z][a-zA-Z0-9]*$/.test(name) || ['email', 'source', 'createdAt', 'id'].includes(name))
      return { status: 400 };
    if (this.properties.has(name)) return { status: 409 };
    this.properties.set(name, type);
    return DONE;
  }

  #once(endpoint: string, message: Message, rest: readonly unknown[], act: () => Expected): Expected {
    const { key, ...payload } = message;
    if (key === undefined) return act();
    if (key.length > 100) return { status: 400 };
    const print = createHash('sha256')
      .update(JSON.stringify([sorted(payload), rest]))
      .digest('hex');
    const used = this.#keys.get(endpoint + key);
    if (used !== undefined && this.now - used.at < DAY) return used.print === print ? DONE : { status: 409 };
    const answer = act();
    if (answer.status === 200) this.#keys.set(endpoint + key, { print, at: this.now });
    return answer;
  }

  #known({
    groups = {},
    values = {},
  }: {
    readonly groups?: Message['groups'];
    readonly values?: Change['values'];
  }): boolean {
    return (
      Object.keys(groups).every((id) => this.groups.includes(id)) &&
      Object.entries(values).every(([name, value]) => {
        const type = this.properties.get(name);
        if (type === undefined) return false;
        return value === null || (type === 'date' ? Number.isInteger(value) : typeof value === type);
      })
    );
  }

  #torn({ email, userId }: Message): boolean {
    const byEmail = this.#byEmail(email);
    const byUserId = this.#byUserId(userId);
    return byEmail !== undefined && byUserId !== undefined && byEmail !== byUserId;
  }

  #match({ email, userId, firstName, groups, values }: Message): Contact {
    let contact = this.#byEmail(email) ?? this.#byUserId(userId);
    if (contact === undefined) this.contacts.push((contact = { subscribed: true, groups: {}, values: {} }));
    if (email !== undefined) contact.email = email;
    if (userId !== undefined) contact.userId = userId;
    if (firstName !== undefined) contact.firstName = firstName;
    Object.assign(contact.groups, groups);
    Object.assign(contact.values, values);
    return contact;
  }

  #at(identifier: string): Contact | undefined {
    return this.#byEmail(identifier) ?? this.#byUserId(identifier);
  }

  #byEmail(email: string | undefined): Contact | undefined {
    return this.contacts.find((contact) => same(contact.email, email));
  }

  #byUserId(userId: string | undefined): Contact | undefined {
    return userId === undefined ? undefined : this.contacts.find((contact) => contact.userId === userId);
  }
}

function same(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && a.toLowerCase() === b?.toLowerCase();
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .map(([name, field]): [string, unknown] => [name, sorted(field)])
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
