import type { ContactProperty, SubscriptionGroup } from 'audience-core';
import {
  AudienceApi,
  CONTACT_FIELDS,
  TransportFailure,
  type Transport,
  type TransportRequest,
} from 'audience-core/internal';
import type { Code } from '../src/messages/index.js';
import { Secrets } from '../src/engine/secrets.js';
import { Run, type Host, type Reporter } from '../src/resources/run.js';

/** A contact as the service keeps it. */
export type Person = Record<string, unknown> & { id: string; email?: string; userId?: string };

/** What goes wrong with one request. */
export type Fault = 'cut before' | 'cut after' | 503 | 401 | 400;

/** Status and body of a response. */
export type Reply = readonly [status: number, body: unknown];

const PROPERTIES: readonly ContactProperty[] = [
  { key: 'seats', label: 'Seats', type: 'number' },
  { key: 'plan', label: 'Plan', type: 'string' },
  { key: 'onTrial', label: 'On trial', type: 'boolean' },
  { key: 'endsAt', label: 'Ends at', type: 'date' },
];

/** The service in this process: contacts, properties, groups and events, as the interface describes them. */
export class FakeService {
  readonly people: Person[] = [];
  properties: ContactProperty[] = [...PROPERTIES];
  groups: SubscriptionGroup[] = [{ id: 'news', name: 'News', description: null }];
  /** Requests as `PUT /v1/contacts/a@example.com {"firstName":"A"}`. */
  received: string[] = [];
  /** Changes of people as they were made. */
  onWrite: (person: Person, body: Readonly<Record<string, unknown>>) => void = () => undefined;
  /** Events as they are carried out, before anybody is created. */
  onEvent: (body: Readonly<Record<string, unknown>>, existing: readonly Person[]) => void = () => undefined;
  /** Events with a used key: nobody is created. */
  onReplay: (body: Readonly<Record<string, unknown>>) => void = () => undefined;
  /** Whether it gives an identifier away that another contact has. */
  isLax = false;
  /** What goes wrong with the next request, if anything. */
  fault: (request: string) => Fault | undefined = () => undefined;
  /** From now on no request arrives: the process that makes them was killed. */
  isDead = false;
  /** Responds to a request in place of the service. */
  reply: (request: string) => Reply | undefined = () => undefined;
  /** Whether it tells the id of a contact that is updated. */
  tellsIds = true;
  /** Its address; it answers to every spelling. */
  baseUrl = 'https://api.example.com';
  /** Events that were carried out, since the keys were forgotten last. */
  events: string[] = [];
  private readonly usedKeys = new Set<string>();
  private number = 0;

  /** @param usedKeys what the service does with an idempotency key that was used. */
  constructor(private readonly onUsedKey: 'replay' | 'refuse' = 'replay') {}

  /** A run against this service. */
  open(options: TestRunOptions): Run {
    return runOn(this, options);
  }

  add(fields: Readonly<Record<string, unknown>>): Person {
    this.number += 1;
    const person: Person = { subscribed: true, subscriptionGroups: {}, ...fields, id: `c${this.number}` };
    this.people.push(person);
    return person;
  }

  /** Idempotency keys count for 24 hours only. */
  forgetKeys(): void {
    this.usedKeys.clear();
    this.events = [];
  }

  find(identifier: string): Person | undefined {
    return this.people.find(
      ({ email, userId }) => email?.toLowerCase() === identifier.toLowerCase() || userId === identifier,
    );
  }

  /** Requests that write, since this was asked last. */
  writes(): string[] {
    const writes = this.received.filter((request) => !request.startsWith('GET'));
    this.received = [];
    return writes;
  }

  readonly transport = ({ method, url, headers, body }: TransportRequest) => {
    const path = decodeURIComponent(new URL(url).pathname);
    const request = `${method} ${path}${body === undefined ? '' : ` ${body}`}`;
    this.received.push(request);
    const fault = this.isDead ? 'cut before' : this.fault(request);
    if (fault === 'cut before')
      return Promise.reject(new TransportFailure('network', { networkCode: 'ECONNRESET' }));
    const content: unknown = body === undefined ? {} : JSON.parse(body);
    const parsed: Record<string, unknown> = Object.fromEntries(Object.entries(content ?? {}));
    const [status, answer] =
      typeof fault === 'number'
        ? [fault, { success: false, message: 'no' }]
        : (this.reply(request) ?? this.handle(method, path, parsed, headers['idempotency-key']));
    if (fault === 'cut after')
      return Promise.reject(new TransportFailure('network', { networkCode: 'ECONNRESET' }));
    return Promise.resolve({
      status,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(answer),
    });
  };

  private handle(
    method: string,
    path: string,
    body: Record<string, unknown>,
    key: string | undefined,
  ): Reply {
    if (path === '/v1/contacts/properties') {
      if (method === 'GET') return [200, this.properties];
      const { name, type } = body;
      if (this.properties.some((property) => property.key === name)) return [409, { success: false }];
      const known = (['string', 'number', 'boolean', 'date'] as const).find((one) => one === type);
      this.properties.push({ key: String(name), label: String(name), type: known ?? 'string' });
      return [200, { success: true }];
    }
    if (path === '/v1/subscription-groups') return [200, this.groups];
    if (path === '/v1/events/send') return this.event(body, key);
    const person = this.find(path.replace('/v1/contacts/', ''));
    if (person === undefined) return [404, { success: false, message: 'no such contact' }];
    if (method === 'GET') return [200, person];
    return this.update(person, body, path.replace('/v1/contacts/', ''));
  }

  private event(body: Record<string, unknown>, key = ''): Reply {
    const { email, userId } = body;
    if (this.usedKeys.has(key)) {
      if (this.onUsedKey === 'refuse') return [409, { success: false }];
      this.onReplay(body);
      return [200, { success: true }];
    }
    this.usedKeys.add(key);
    this.events.push(JSON.stringify(body));
    const found = [email, userId].flatMap((one) => (typeof one === 'string' ? (this.find(one) ?? []) : []));
    this.onEvent(body, found);
    if (found.length === 0) {
      this.add({ ...(email === undefined ? {} : { email }), ...(userId === undefined ? {} : { userId }) });
    }
    return [200, { success: true }];
  }

  private update(person: Person, body: Record<string, unknown>, identifier: string): Reply {
    const { email, userId, subscriptionGroups, ...rest } = body;
    const refused = (message: string): Reply => [400, { success: false, message }];
    const unknown = Object.keys(rest).find(
      (name) => !Object.hasOwn(CONTACT_FIELDS, name) && !this.properties.some(({ key }) => key === name),
    );
    if (unknown !== undefined) return refused(`${unknown} is no property`);
    const holder = [email, userId].map((one) => (typeof one === 'string' ? this.find(one) : undefined));
    if (!this.isLax && holder.some((other) => other !== undefined && other.id !== person.id))
      return refused('taken');
    if (typeof email === 'string' && person.userId !== identifier && email !== person.email) {
      return refused('an email is changed under the userId');
    }
    this.onWrite(person, body);
    if (typeof email === 'string') person.email = email;
    if (typeof userId === 'string') person.userId = userId;
    if (userId === null) delete person.userId;
    for (const [name, value] of Object.entries(rest)) person[name] = value;
    const groups: unknown = person['subscriptionGroups'];
    if (typeof subscriptionGroups === 'object') {
      person['subscriptionGroups'] = Object.assign({}, groups, subscriptionGroups);
    }
    return [200, { success: true, ...(this.tellsIds ? { id: person.id } : {}) }];
  }
}

let lastKey = 0;

/** What a test gives a run; nothing unless given. */
export interface TestRunOptions extends Pick<Host, 'cancelled' | 'movedFrom'> {
  readonly concurrency?: number;
  /** Values that no message shows. */
  readonly secrets?: Secrets;
  /** Collects what the person is told. */
  readonly told?: string[];
  /** Collects the codes of the same. */
  readonly codes?: Code[];
}

/** A run against a service. */
export function runOn(
  service: { readonly transport: Transport; readonly baseUrl?: string },
  { concurrency, told = [], codes = [], secrets = new Secrets(), ...given }: TestRunOptions = {},
): Run {
  const host: Host = {
    reporter: noted(
      codes,
      secrets.reporterOf({
        info: (text) => told.push(text),
        warn: (text) => told.push(`warning: ${text}`),
      }),
    ),
    sleep: () => Promise.resolve(),
    ...given,
  };
  let now = 0;
  const runtime = {
    now: () => now,
    sleep: (milliseconds: number) => {
      // The deadline of who waits for a turn does not come in a test.
      if (milliseconds > 60_000) return new Promise<void>(() => undefined);
      now += milliseconds;
      return Promise.resolve();
    },
    random: () => 0.5,
    randomUUID: () => `key-${(lastKey += 1)}`,
  };
  const client = new AudienceApi({
    baseUrl: service.baseUrl ?? 'https://api.example.com',
    transport: service.transport,
    runtime,
    concurrency,
  });
  return new Run(client, host);
}

function noted(codes: Code[], reporter: Reporter): Reporter {
  const note =
    (report: Reporter['info']): Reporter['info'] =>
    (problem) => {
      codes.push(problem.code);
      report(problem);
    };
  return { info: note((problem) => reporter.info(problem)), warn: note((problem) => reporter.warn(problem)) };
}
