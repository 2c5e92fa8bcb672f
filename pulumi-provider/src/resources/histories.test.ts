import { FakeEngine } from '../../testing/fake-engine.js';
import type { Adapter, Declared } from '../../testing/fake-engine.js';
import { FakeService } from '../../testing/fake-service.js';
import type { Person } from '../../testing/fake-service.js';
import { pluginOverGrpc } from '../../testing/plugin-over-grpc.js';

/**
 * A model of a program and of what people do to it and to the service over time. In every history must hold: nobody
 * who is declared is ever touched by a removal, nor whoever was last declared where nothing is taken; no value is
 * cleared that was never declared of that person, nor one that others have set of a `Contact`; a value that is declared
 * as before is not written, as somebody else may have changed it; no event goes out twice within a day; and after a run
 * without errors the service is what is declared.
 */

const FIRST_SEED = Number(process.env['SEED'] ?? 1);
const HISTORIES = Number(process.env['HISTORIES'] ?? 1_000);
const STEPS = 3;
/** In some histories rows only leave, fates change, and the service is down for long: removals stay pending. */
const LONG_STEPS = 7;
const LEAVING = [0, 0, 6, 10, 10];
/** A name that no program declares. */
const OTHERS = 'Other';
const PEOPLE = 4;

/** Numbers that look random and are the same for a seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

interface RecordOf {
  email?: string;
  userId?: string;
  firstName?: string;
  properties?: Record<string, string>;
  subscriptionGroups?: { news: boolean };
  subscribed?: false;
}
type Fate = 'retain' | 'unsubscribe' | 'clear';
interface Resource {
  type: 'contact' | 'contacts';
  name: string;
  fate: Fate;
  /** Number of the person, and what is declared. */
  records: Map<number, RecordOf>;
  /** Whose process works on it. */
  provider: 'one' | 'two';
}

/** Fields that can be cleared, of those that a record declares. */
function fieldsOf({ firstName, properties }: RecordOf): string[] {
  return [...(firstName === undefined ? [] : ['firstName']), ...Object.keys(properties ?? {})];
}

/** What a record declares beside its identifiers, as it is sent. */
function valuesOf({
  firstName,
  properties,
  subscriptionGroups,
  subscribed,
}: RecordOf): Record<string, unknown> {
  return { firstName, ...properties, ...subscriptionGroups, subscribed };
}

/** What an update sets, with groups beside the fields. */
function flat({ subscriptionGroups, ...fields }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.assign(fields, subscriptionGroups);
}

class History {
  readonly service: FakeService;
  readonly engine: FakeEngine;
  readonly steps: string[] = [];
  readonly violations: string[] = [];
  private resources: Resource[] = [];
  private named = 0;
  private readonly keys: { email: string; userId: string }[];
  /** Fields that a program has ever declared of a person, by number. */
  private readonly everDeclared = Array.from({ length: PEOPLE }, () => new Set<string>());
  /** Whom the last run without errors had, with what becomes of them and where, by the service's id. */
  private managed = new Map<string, { readonly fate: Fate; readonly home: Resource }>();
  /** Ids that somebody changed in the service: what state knows of them may be of no use. */
  private readonly tampered = new Set<string>();
  /** Who was ever written by a resource, by the service's id: what each last said becomes of them. */
  private readonly fates = new Map<string, Map<Resource, Fate>>();
  /** Who a resource declares, by the service's id, and what state says becomes of them. */
  private readonly homes = new Map<string, { readonly home: Resource; readonly fate: Fate }>();
  /** What was ever said to become of somebody who left, by the service's id. */
  private readonly planned = new Map<string, Set<Fate>>();
  /** What is declared since the last run that did all, by number: it is in the service unless others changed it. */
  private readonly written = new Map<number, { readonly home: string; readonly record: RecordOf }>();
  /** Whose addresses were passed on since a run did all: they are declared with their userIds. */
  private readonly passing = new Set<number>();
  private isRefreshed = true;
  /** Whether the last run may have written what it does not know of. */
  private isUnclear = false;
  /** Whether the last run has said that somebody who left could not be found. */
  private isToldOfLeft = false;
  /** Whether the last run did all that is declared. */
  private isSettled = false;
  /** Who is in a list that is being replaced by force, and has left none before: no plan is asked for, so nobody is taken. */
  private readonly unasked = new Set<string>();
  /** Whether resources are replaced by force, as `--replace` does. */
  private readonly isForcing: boolean;
  /** Whether there are two providers, each a process of its own. */
  private readonly hasProcesses: boolean;

  constructor(
    private readonly random: (below: number) => number,
    adapter?: Adapter,
  ) {
    this.service = new FakeService(this.chance(2) ? 'replay' : 'refuse');
    this.service.tellsIds = !this.chance(4);
    this.engine = new FakeEngine(this.service, adapter);
    this.keys = Array.from({ length: PEOPLE }, (_, one) => ({ email: `e${one}@x.io`, userId: `u${one}` }));
    for (const key of this.keys)
      if (this.chance(2)) this.service.add(this.chance(2) ? key : { email: key.email });
    this.service.onWrite = (person, body) => this.judge(person, body);
    this.resources = [
      this.newResource('contacts'),
      this.newResource('contacts'),
      this.newResource('contact'),
    ];
    for (let one = 0; one < PEOPLE; one += 1) this.declareSomewhere(one);
    this.isForcing = this.chance(4);
    this.hasProcesses = adapter === undefined && this.chance(4);
  }

  async play(): Promise<void> {
    const isOfLeaving = this.chance(8);
    for (let step = 0; step < (isOfLeaving ? LONG_STEPS : STEPS) && this.violations.length === 0; step += 1) {
      this.edit(isOfLeaving ? this.pick(LEAVING) : this.random(12));
      const how = this.random(12);
      if (isOfLeaving) await (how < 7 ? this.broken('outage') : this.cleanUp());
      else if (how < 2) await this.refresh();
      else if (how === 2) this.tamper();
      else if (how === 3) await this.broken('kill');
      else if (how < 6) await this.broken('faults');
      else await this.cleanUp();
    }
    await this.refresh();
    this.service.forgetKeys();
    await this.cleanUp();
  }

  private chance(of: number): boolean {
    return this.random(of) === 0;
  }

  private pick<Item>(items: readonly Item[]): Item | undefined {
    return items[this.random(items.length)];
  }

  private newResource(type: Resource['type']): Resource {
    this.named += 1;
    const fate = this.pick(['unsubscribe', 'unsubscribe', 'clear', 'retain'] as const) ?? 'retain';
    return { type, name: `r${this.named}`, fate, records: new Map(), provider: 'one' };
  }

  private recordFor(person: number): RecordOf {
    const key = this.keys[person];
    const record: RecordOf = {};
    const form = this.passing.has(person) ? 2 : this.random(4);
    if (form !== 1) record.email = key?.email ?? '';
    if (form !== 0) record.userId = key?.userId ?? '';
    if (!this.chance(3)) record.firstName = `n${this.random(3)}`;
    if (!this.chance(3)) record.properties = { plan: `p${this.random(3)}` };
    if (this.chance(3)) record.subscriptionGroups = { news: this.chance(2) };
    if (this.chance(12)) record.subscribed = false;
    return record;
  }

  private declareSomewhere(person: number): void {
    const free = this.resources.filter(({ type, records }) => type === 'contacts' || records.size === 0);
    if (!this.chance(4)) this.pick(free)?.records.set(person, this.recordFor(person));
  }

  private homeOf(person: number): Resource | undefined {
    return this.resources.find(({ records }) => records.has(person));
  }

  /** One change of the program. */
  private edit(kind: number | undefined): void {
    const person = this.random(PEOPLE);
    const home = this.homeOf(person);
    this.steps.push(`edit ${kind ?? ''} of person ${person} in ${home?.name ?? 'none'}`);
    if (kind === 0) home?.records.delete(person);
    else if (kind === 1 && home === undefined) this.declareSomewhere(person);
    else if (kind === 2 || kind === 3) {
      // Moved to another resource.
      home?.records.delete(person);
      this.declareSomewhere(person);
    } else if (kind === 4) home?.records.set(person, this.recordFor(person));
    else if (kind === 5) {
      const resource = this.pick(this.resources);
      this.named += 1;
      if (resource !== undefined) resource.name = `r${this.named}`;
    } else if (kind === 6) {
      // A file cut short, or a resource taken out.
      const resource = this.pick(this.resources);
      for (const one of [...(resource?.records.keys() ?? [])])
        if (this.chance(2)) resource?.records.delete(one);
    } else if (kind === 7 && this.resources.length < 5) {
      this.resources.push(this.newResource(this.chance(2) ? 'contact' : 'contacts'));
    } else if (kind === 8) {
      this.resources.reverse();
    } else if (kind === 9) {
      this.passOn(person, this.random(PEOPLE));
    } else if (kind === 10) {
      const resource = this.pick(this.resources);
      if (resource !== undefined) resource.fate = this.pick(['unsubscribe', 'clear', 'retain']) ?? 'retain';
    } else if (kind === 11 && this.chance(3)) {
      // Another spelling of the service's address: nobody can tell that it is the same.
      const { service } = this;
      service.baseUrl = `https://api${service.baseUrl.includes('2') ? '' : '2'}.example.com`;
      this.managed.clear();
      this.written.clear();
    }
    this.isSettled = false;
  }

  /**
   * Somebody gets another address, and somebody else the one that was theirs; or the two exchange them. Both are known
   * by a userId: an address alone would be the person, and of new ones the plan says that this is not checked.
   */
  private passOn(from: number, to: number): void {
    const [giver, taker] = [from, to].map((person) => this.homeOf(person)?.records.get(person));
    if (!this.isSettled || giver === undefined || taker === undefined || giver === taker) return;
    if ([giver, taker].some(({ email, userId }) => email === undefined || userId === undefined)) return;
    this.named += 1;
    const [passed, old] = [giver.email, taker.email];
    giver.email = this.chance(4) ? old : `passed${this.named}@x.io`;
    taker.email = passed;
    for (const person of [from, to]) {
      this.passing.add(person);
      Object.assign(this.keys[person] ?? {}, { email: person === from ? giver.email : passed });
    }
  }

  private program(): Declared[] {
    for (const { records } of this.resources) {
      for (const [person, record] of records) {
        for (const field of fieldsOf(record)) this.everDeclared[person]?.add(field);
      }
    }
    return this.resources.flatMap(({ type, name, fate, records, provider }): Declared[] => {
      const createWithEvent = { eventName: 'declared' };
      const [first] = records.values();
      if (type === 'contacts') {
        const contacts = [...records.values()];
        return [
          { type, name, provider, inputs: { contacts, onRemove: fate, createWithEvent, allowEmpty: true } },
        ];
      }
      return first === undefined
        ? []
        : [{ type, name, provider, inputs: { ...first, onDelete: fate, createWithEvent } }];
    });
  }

  /** Number and record of a person: whoever has the userId, else whoever has the address and no other userId. */
  private declaredAs({ email, userId }: Person): readonly [number, RecordOf] | undefined {
    const records = this.resources.flatMap((resource) => [...resource.records]);
    return (
      records.find(([, record]) => record.userId !== undefined && record.userId === userId) ??
      records.find(
        ([, record]) =>
          record.email !== undefined &&
          record.email === email?.toLowerCase() &&
          (record.userId === undefined || userId === undefined),
      )
    );
  }

  /** Whether a write takes something from somebody who is declared. */
  private judge(person: Person, body: Readonly<Record<string, unknown>>): void {
    const declared = this.declaredAs(person);
    const fates = [...(this.fates.get(person.id)?.values() ?? [])];
    if (this.engine.phase === 'delete' && fates.every((fate) => fate === 'retain')) {
      this.violations.push(
        `delete: ${JSON.stringify(body)} to ${JSON.stringify(person)}, who was to be retained`,
      );
    }
    const taken: Fate = body['subscribed'] === false ? 'unsubscribe' : 'clear';
    if (
      this.engine.phase === 'delete' &&
      !this.tampered.has(person.id) &&
      this.planned.get(person.id)?.has(taken) !== true
    ) {
      this.violations.push(`no plan said so: ${JSON.stringify(body)} to ${JSON.stringify(person)}`);
    }
    if (this.engine.phase === 'delete' && this.unasked.has(person.id)) {
      this.violations.push(`without a plan: ${JSON.stringify(body)} to ${JSON.stringify(person)}`);
    }
    if (declared === undefined) return;
    const [number, record] = declared;
    const says = `${this.engine.phase}: ${JSON.stringify(body)} to ${JSON.stringify(person)}, declared as ${JSON.stringify(record)}`;
    if (this.engine.phase === 'delete') this.violations.push(says);
    if (body['subscribed'] === false && record.subscribed !== false) this.violations.push(says);
    for (const field of ['firstName', 'plan']) {
      const isTheirs = this.everDeclared[number]?.has(field) === true && !fieldsOf(record).includes(field);
      if (body[field] === null && !isTheirs) this.violations.push(says);
    }
    if (flat(body)['news'] === false && record.subscriptionGroups?.news !== false) this.violations.push(says);
    const isOthers = body['firstName'] === null && person['firstName'] === OTHERS && !this.isUnclear;
    if (isOthers && this.homeOf(number)?.type === 'contact') this.violations.push(`set by others: ${says}`);
    if (this.writesAgain(number, record, body)) this.violations.push(`written again: ${says}`);
  }

  /** Whether a write sets a value that is declared as it was when a run last did all, of the same person and place. */
  private writesAgain(number: number, record: RecordOf, body: Readonly<Record<string, unknown>>): boolean {
    const last = this.written.get(number);
    const isSame =
      last !== undefined &&
      last.home === this.homeOf(number)?.name &&
      (['email', 'userId'] as const).some(
        (name) => record[name] !== undefined && record[name] === last.record[name],
      );
    if (!isSame) return false;
    const [before, now] = [valuesOf(last.record), valuesOf(record)];
    return Object.keys(flat(body)).some((name) => now[name] !== undefined && now[name] === before[name]);
  }

  /** A run; what state then says of the fates is what counts. */
  private async up(): Promise<readonly string[]> {
    this.noteFates();
    const { errors, told } = await this.engine.up(this.program());
    this.isUnclear = errors.length > 0;
    // Whoever sets `retain` takes nothing from anybody from then on, also where the run failed elsewhere.
    for (const [id, { home }] of this.managed)
      if (home.fate === 'retain') this.managed.set(id, { home, fate: 'retain' });
    this.isToldOfLeft = told.some((line) =>
      / not (unsubscribed|cleared): |state has only an email/.test(line),
    );
    for (const [person, { home }] of this.written) {
      const record = this.homeOf(person)?.records.get(person);
      if (errors.length > 0 || record === undefined || this.homeOf(person)?.name !== home)
        this.written.delete(person);
      else this.written.set(person, { home, record: structuredClone(record) });
    }
    this.noteFates();
    const { events } = this.service;
    if (new Set(events).size < events.length) this.violations.push(`events twice: ${events.join(' ')}`);
    return errors;
  }

  private idsOf({ email, userId }: RecordOf): string[] {
    return [email, userId].flatMap((identifier) =>
      identifier === undefined ? [] : (this.service.find(identifier)?.id ?? []),
    );
  }

  /** Who has left a resource since, and who is in one. */
  private noteHomes(): void {
    for (const [id, { home, fate }] of this.homes) {
      const isThere =
        this.resources.includes(home) &&
        [...home.records.values()].some((record) => this.idsOf(record).includes(id));
      if (isThere) continue;
      this.homes.delete(id);
      this.planned.set(id, (this.planned.get(id) ?? new Set()).add(fate));
    }
    for (const home of this.resources) {
      const stored = this.engine.state.get(`${home.type} ${home.name}`)?.outs;
      const kept = stored?.['onRemove'] ?? stored?.['onDelete'] ?? home.fate;
      const fate = (['unsubscribe', 'clear', 'retain'] as const).find((one) => one === kept) ?? home.fate;
      for (const record of home.records.values())
        for (const id of this.idsOf(record)) this.homes.set(id, { home, fate });
    }
  }

  private noteFates(): void {
    this.noteHomes();
    for (const resource of this.resources) {
      const { type, name, records } = resource;
      const stored = this.engine.state.get(`${type} ${name}`)?.outs;
      const fate = stored?.['onRemove'] ?? stored?.['onDelete'] ?? resource.fate;
      const isRetained = fate === 'retain';
      for (const [person, record] of records) {
        const { email, userId } = { ...this.keys[person], ...record };
        for (const identifier of [email, userId]) {
          const found = identifier === undefined ? undefined : this.service.find(identifier);
          if (found === undefined) continue;
          const known = this.fates.get(found.id) ?? new Map<Resource, Fate>();
          this.fates.set(found.id, known.set(resource, isRetained ? 'retain' : 'unsubscribe'));
        }
      }
      if (!isRetained) continue;
      for (const known of this.fates.values()) if (known.has(resource)) known.set(resource, 'retain');
    }
  }

  private async cleanUp(): Promise<void> {
    const forced = this.isForcing && this.chance(2) ? this.pick(this.resources) : undefined;
    if (forced !== undefined) this.planless('by force', forced);
    this.engine.forced = forced?.name;
    const moved = this.hasProcesses && this.chance(2) ? this.pick(this.resources) : undefined;
    if (moved !== undefined) this.moveOn(moved);
    const errors = await this.up();
    this.engine.forced = undefined;
    this.unasked.clear();
    this.steps.push(`up ${errors.join(' | ')}`);
    if (errors.length > 0) return;
    this.assertLeft();
    const upToDate = this.isRefreshed;
    this.remember();
    if (!upToDate) return;
    this.assertDeclared();
    this.isSettled = true;
    this.passing.clear();
    this.noteWritten();
    if (!this.chance(3)) return;
    this.service.writes();
    const again = await this.engine.up(this.program());
    const writes = this.service.writes();
    if (again.errors.length > 0 || writes.length > 0) {
      this.violations.push(`a second up: ${again.errors.join(' | ')} ${writes.join(' | ')}`);
    }
  }

  /** A replacement of which nobody asks the provider for a plan: nobody is taken, and all is written anew. */
  private planless(how: string, resource: Resource): void {
    this.steps.push(`${how}: ${resource.name}`);
    // Under another name it is another resource, and the old one is deleted.
    if (!this.engine.state.has(`${resource.type} ${resource.name}`)) return;
    for (const [id, { home }] of this.managed) {
      if (home !== resource) continue;
      this.managed.delete(id);
      if (resource.type === 'contacts' && this.planned.get(id) === undefined) this.unasked.add(id);
    }
    for (const [person, { home }] of this.written) if (home === resource.name) this.written.delete(person);
  }

  /** Another provider of the program works on it from now on. */
  private moveOn(resource: Resource): void {
    this.planless('to another provider', resource);
    resource.provider = resource.provider === 'one' ? 'two' : 'one';
  }

  /** Those who left are what they were said to become. */
  private assertLeft(): void {
    if (this.isToldOfLeft) return;
    for (const [id, { fate }] of this.managed) {
      const person = this.service.people.find((one) => one.id === id);
      if (person === undefined || this.tampered.has(id) || this.declaredAs(person) !== undefined) continue;
      // A run that failed elsewhere may have changed its fate.
      if (this.planned.get(id)?.has('clear') === true) continue;
      if (fate === 'unsubscribe' && person['subscribed'] !== false) {
        this.violations.push(`${JSON.stringify(person)} left and is not unsubscribed`);
      }
    }
  }

  private remember(): void {
    this.managed = new Map();
    for (const home of this.resources) {
      for (const record of home.records.values()) {
        const person = this.service.find(record.email ?? record.userId ?? '');
        if (person !== undefined) this.managed.set(person.id, { fate: home.fate, home });
      }
    }
  }

  private noteWritten(): void {
    for (const { name, records } of this.resources)
      for (const [person, record] of records)
        this.written.set(person, { home: name, record: structuredClone(record) });
  }

  private assertDeclared(): void {
    for (const { records } of this.resources) {
      for (const record of records.values()) {
        const person = this.service.find(record.email ?? record.userId ?? '');
        const has = flat(person ?? {});
        const is = [person?.email?.toLowerCase(), person?.userId, has['firstName'], has['plan'], has['news']];
        const { firstName, properties, subscriptionGroups } = record;
        const fields = [firstName, properties?.['plan'], subscriptionGroups?.news];
        const wanted = [record.email, record.userId, ...fields];
        if (wanted.some((value, index) => value !== undefined && value !== is[index])) {
          const ids = JSON.stringify(this.service.people);
          this.violations.push(ids, `${JSON.stringify(person)} is declared as ${JSON.stringify(record)}`);
        }
      }
    }
  }

  /** A run in which calls fail, or whose process is killed. */
  private async broken(how: 'kill' | 'faults' | 'outage'): Promise<void> {
    let left = 1 + this.random(8);
    const faults = ['cut before', 'cut after', 503, 400] as const;
    this.service.fault = (request) => {
      if (how === 'outage') return request.startsWith('PUT') ? 503 : undefined;
      if (how === 'faults') return this.chance(3) ? this.pick(faults) : undefined;
      if (!request.startsWith('GET')) left -= 1;
      // The last one may have arrived.
      if (left > 0) return undefined;
      this.service.isDead = true;
      return this.chance(2) ? 'cut after' : 'cut before';
    };
    const errors = await this.up();
    this.service.fault = () => undefined;
    this.service.isDead = false;
    this.steps.push(`up with ${how}: ${errors.join(' | ')}`);
    if (errors.length > 0) return;
    this.assertLeft();
    this.remember();
  }

  private async refresh(): Promise<void> {
    if (this.chance(2)) this.service.forgetKeys();
    const { errors } = await this.engine.refresh();
    this.written.clear();
    this.steps.push(`refresh ${errors.join(' | ')}`);
    this.isRefreshed = errors.length === 0;
  }

  /** Somebody changes the service. */
  private tamper(): void {
    const person = this.pick(this.service.people);
    if (person === undefined) return;
    this.isRefreshed = false;
    this.tampered.add(person.id);
    const kind = this.random(6);
    // Whoever gets the address of somebody known is then new, and the plan says whose userId they take.
    if (kind === 2 && this.passing.size > 0) return;
    this.steps.push(`tamper ${kind} with ${person.id}`);
    if (kind === 0) person['firstName'] = OTHERS;
    else if (kind === 4) person['plan'] = 'other';
    else if (kind === 5) person['subscriptionGroups'] = { news: this.chance(2) };
    else if (kind === 1) person.email = `moved-${person.id}@x.io`;
    else if (kind === 2) this.service.people.splice(this.service.people.indexOf(person), 1);
    else {
      // The address becomes that of somebody else.
      const { email } = person;
      person.email = `moved-${person.id}@x.io`;
      if (email !== undefined) this.tampered.add(this.service.add({ email }).id);
    }
  }
}

async function playAll(histories: number, adapter?: Adapter): Promise<void> {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + histories; seed += 1) {
    const history = new History(numbers(seed), adapter);
    await history.play();
    if (history.violations.length > 0) {
      throw new Error([`seed ${seed}`, ...history.steps, ...history.violations].join('\n'));
    }
  }
}

test(`in ${HISTORIES} histories nobody who is declared is harmed, and what is declared comes true`, async () => {
  await playAll(HISTORIES);
}, 3_600_000);

test(`the same in ${HISTORIES / 50} histories with the native plugin, over gRPC`, async () => {
  const plugin = await pluginOverGrpc();
  try {
    await playAll(HISTORIES / 50, plugin.adapter);
  } finally {
    plugin.close();
  }
}, 3_600_000);
