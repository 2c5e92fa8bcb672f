import { keysOf, type Identity } from '../src/resources/contact-record/identity.js';
import { beforeOf, knowsOf, readOutputs } from '../src/resources/contacts/state.js';
import { FakeEngine, type Declared, type Ended } from './fake-engine.js';
import { FakeService, type Fault, type Person } from './fake-service.js';
import { Random } from './random.js';

/** One declared contact. */
interface Row {
  email?: string | undefined;
  userId?: string | undefined;
  firstName?: string | null | undefined;
  plan?: string | null | undefined;
  news?: boolean | undefined;
  subscribed?: false | undefined;
}

/** One resource of the program: a `Contact` has one row. */
interface Resource {
  readonly type: 'contact' | 'contacts';
  name: string;
  provider: string;
  rows: Row[];
}

/** What a request sets, or what the service has, by the names of a row. */
function flat(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { firstName, plan, subscribed, subscriptionGroups: groups } = body;
  const news: unknown =
    typeof groups === 'object' && groups !== null && 'news' in groups ? groups.news : undefined;
  return given({ firstName, plan, news, subscribed });
}

function given(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** A row as a program has it. */
function inputsOf({ plan, news, ...fields }: Row): Record<string, unknown> {
  return {
    ...given(fields),
    ...(plan !== undefined && { properties: { plan } }),
    ...(news !== undefined && { subscriptionGroups: { news } }),
  };
}

/**
 * A random history of programs with several resources and providers, and what in it breaks a rule. What one list does with
 * its rows is judged by `RowHistory`.
 */
export class History {
  readonly faults: string[] = [];
  readonly log: string[] = [];
  readonly #random: Random;
  readonly #service: FakeService;
  readonly #engine: FakeEngine;
  #resources: Resource[] = [];
  #named = 0;
  /** Who left the group: no row brings them back. */
  readonly #left = new Set<string>();
  /** With `--target` the one resource that the run checks: it knows no other one's opt-outs. */
  #target: string | undefined;
  /** Whom states knew when the run began, by the provider and the name of their resource. */
  #knew = new Map<string, (identity: Identity) => boolean>();
  /** Events of this run that a later resource of the program forbids. */
  #early = 0;
  /** Identifiers that got an event in this run. */
  readonly #created = new Set<string>();

  constructor(seed: number) {
    this.#random = new Random(seed);
    this.#service = new FakeService(this.#random.once(2) ? 'replay' : 'refuse');
    this.#service.isLax = this.#random.once(3);
    this.#service.tellsIds = !this.#random.once(4);
    this.#engine = new FakeEngine(this.#service);
    this.#service.onWrite = (person, body) => this.#judgeWrite(person, body);
    this.#service.onEvent = (body, existing) => this.#judgeEvent(body, existing);
    for (let n = 0; n < 3; n += 1)
      this.#service.add({ email: emailOf(n), ...(this.#random.once(2) && { userId: `u${n}` }) });
    this.#addResource();
  }

  /** Plays the history to its end. */
  async play(): Promise<void> {
    for (let step = 0; step < 4 && this.faults.length === 0; step += 1) {
      for (let edits = 1 + this.#random.int(2); edits > 0; edits -= 1) this.#edit();
      if (this.#random.once(2)) this.#others();
      await this.#runOnce();
    }
    if (this.faults.length === 0) await this.#end();
  }

  #newRow(): Row {
    const [n, kind] = [this.#random.int(4), this.#random.int(3)];
    return {
      ...(kind !== 1 && { email: emailOf(n) }),
      ...(kind !== 0 && { userId: `u${n}` }),
      firstName: 'a',
      ...(this.#random.once(3) && { news: true }),
    };
  }

  #addResource(): void {
    if (this.#resources.length >= 3) return;
    this.#named += 1;
    this.#resources.push({
      type: this.#random.once(3) ? 'contact' : 'contacts',
      name: `r${this.#named}`,
      provider: this.#random.once(4) ? 'two' : 'one',
      rows: [this.#newRow()],
    });
  }

  /** One change of the program. */
  #edit(): void {
    const resource = this.#random.pick(this.#resources);
    const row = resource && this.#random.pick(resource.rows);
    const kind = this.#random.int(20);
    this.log.push(`edit ${kind} of ${resource?.name ?? 'none'}`);
    if (resource === undefined || kind === 0) this.#addResource();
    else if (kind === 1) this.#resources = this.#resources.filter((one) => one !== resource);
    else if (kind === 2) resource.name = `r${(this.#named += 1)}`;
    else if (kind === 3) resource.provider = this.#random.pick(['one', 'two']) ?? 'one';
    else if (kind === 4) this.#resources.reverse();
    else if (row === undefined || kind === 5) {
      if (resource.type === 'contacts' && resource.rows.length < 4) resource.rows.push(this.#newRow());
    } else if (kind < 8 && resource.type === 'contacts') {
      // A row leaves, or moves to another list.
      resource.rows = resource.rows.filter((one) => one !== row);
      const lists = this.#resources.filter(({ type }) => type === 'contacts');
      if (kind === 6) this.#random.pick(lists)?.rows.push(row);
    } else if (kind === 8) {
      const other = this.#random.pick(resource.rows) ?? row;
      [row.email, other.email] = [other.email, row.email];
    } else this.#editRow(row);
  }

  #editRow(row: Row): void {
    const changes: Row[] = [
      ...[{ firstName: this.#random.pick(['a', 'b', 'c', null]) }, { firstName: undefined }],
      ...[{ plan: this.#random.pick(['p', 'q', null]) }, { plan: undefined }],
      ...[{ news: !this.#random.once(3) }, { news: undefined }],
      ...[{ subscribed: false } as const, { subscribed: undefined }],
      ...[{ email: emailOf(this.#random.int(5)) }, { userId: `u${this.#random.int(5)}` }],
    ];
    Object.assign(row, this.#random.pick(changes));
  }

  /** Somebody else changes the service. */
  #others(): void {
    const { people } = this.#service;
    const person = this.#random.pick(people);
    const kind = this.#random.int(6);
    this.log.push(`others ${kind} to ${person?.id ?? 'nobody'}`);
    if (person === undefined) return;
    if (kind === 0) person['firstName'] = 'others';
    else if (kind === 1) {
      const leaver = people.find((one) => flat(one)['news'] === true) ?? person;
      if (flat(leaver)['news'] === true) this.#left.add(leaver.id);
      leaver['subscriptionGroups'] = { news: false };
    } else if (kind === 2) people.splice(people.indexOf(person), 1);
    else if (kind === 3) {
      const email = emailOf(this.#random.int(5));
      if (this.#service.find(email) === undefined) person.email = email;
    } else if (kind === 4) person['subscribed'] = true;
    else this.#service.forgetKeys();
  }

  #declared(): Declared[] {
    return this.#resources.flatMap(({ type, name, provider, rows }): Declared[] => {
      const createWithEvent = { eventName: `of ${name}` };
      const contacts = rows.map(inputsOf);
      if (type === 'contacts') return [{ type, name, provider, inputs: { contacts, createWithEvent } }];
      return contacts.map((inputs) => ({ type, name, provider, inputs: { ...inputs, createWithEvent } }));
    });
  }

  /** One run, with its faults. */
  async #runOnce(): Promise<void> {
    if (this.#random.once(3)) this.#break();
    const [kind, program] = [this.#random.int(9), this.#declared()];
    this.#created.clear();
    this.#noteStates();
    const { errors } = await this.#run(kind, program);
    if (this.#early > 0 && errors.length === 0)
      this.faults.push('an event came too early, and nobody is told');
    this.#service.fault = () => undefined;
    this.#service.isDead = false;
    this.log.push(`run ${kind} of ${JSON.stringify(program)}: ${errors.join(' | ')}`);
  }

  #noteStates(): void {
    this.#early = 0;
    this.#knew = new Map();
    for (const { name, provider, type, outs } of this.#engine.state.values()) {
      const key = `${provider} ${name}`;
      if (type === 'contacts') this.#knew.set(key, knowsOf(beforeOf(readOutputs(outs))));
      if (type !== 'contact') continue;
      const keys = keysOf({ email: textOf(outs['email']), userId: textOf(outs['userId']) });
      this.#knew.set(key, (identity) => keysOf(identity).some((key) => keys.includes(key)));
    }
  }

  #break(): void {
    const faults: readonly (Fault | undefined)[] = ['cut before', 'cut after', 503, 400, undefined];
    const isLost = this.#random.once(2);
    const fault = this.#random.pick(faults);
    const [from, length] = [this.#random.int(6), 1 + this.#random.int(20)];
    let number = 0;
    this.#service.fault = () => {
      number += 1;
      if (number < from || number > from + length) return undefined;
      if (fault === undefined) this.#service.isDead = true;
      return isLost && fault === undefined ? 'cut after' : fault;
    };
  }

  async #run(kind: number, program: readonly Declared[]): Promise<Ended> {
    const one = this.#random.pick(program);
    this.#target = kind === 1 ? one?.name : undefined;
    if (kind === 0) return this.#engine.up(program, { refresh: true });
    if (kind === 1) return this.#engine.up(program, one === undefined ? {} : { target: [one.name] });
    if (kind === 2) await this.#engine.refresh();
    if (kind === 3 && one?.type === 'contact' && !this.#engine.state.has(`contact ${one.name}`))
      await this.#engine.import(one, String(one.inputs['email'] ?? one.inputs['userId']));
    if (kind === 4) await this.#engine.preview(program);
    if (kind === 5) {
      // For a while the service finds nobody.
      this.#service.reply = (request) =>
        request.includes(' /v1/contacts/') && !request.includes('/properties') ? [404, {}] : undefined;
      await this.#engine.refresh();
      this.#service.reply = () => undefined;
    }
    // A refresh is another process: it may have marked an address that is not the contact's any more.
    this.#noteStates();
    return this.#engine.up(program);
  }

  /** Rows of the program that lead to a person. */
  #rowsOf(person: Pick<Person, 'email' | 'userId'>): Row[] {
    return this.#resources
      .flatMap(({ rows }) => rows)
      .filter(({ email, userId }) =>
        userId !== undefined
          ? userId === person.userId ||
            (person.userId === undefined && email !== undefined && email === person.email)
          : email === person.email,
      );
  }

  #judgeWrite(person: Person, body: Readonly<Record<string, unknown>>): void {
    const says = `${JSON.stringify(body)} to ${JSON.stringify(person)}`;
    // An identifier that the write adds leads other rows to the contact.
    const leading = [...this.#rowsOf(person), ...this.#rowsOf({ ...person, ...body })];
    // Rows of one list that share an identifier are one declaration.
    const joined = this.#resources
      .filter(({ rows: all }) => all.some((row) => leading.includes(row)))
      .flatMap(({ rows: all }) => all.filter((one) => leading.some((row) => isShared(one, row))));
    const declared = [...leading, ...joined].flatMap((row) => Object.entries(row));
    if (leading.length === 0) this.faults.push(`wrote to somebody whom no row leads to: ${says}`);
    for (const [name, value] of Object.entries(flat(body)))
      if (!declared.some(([one, its]) => one === name && its === value))
        this.faults.push(`wrote ${name}, which no row says: ${says}`);
    for (const name of ['email', 'userId'] as const) {
      const value = body[name];
      const holder = typeof value === 'string' ? this.#service.find(value) : undefined;
      if (holder !== undefined && holder !== person)
        this.faults.push(`gave away ${name} of ${holder.id}: ${says}`);
      if (value === null) this.faults.push(`took ${name}: ${says}`);
    }
    if (flat(body)['news'] === true && this.#left.has(person.id))
      this.faults.push(`brought back who had left: ${says}`);
  }

  #judgeEvent(body: Readonly<Record<string, unknown>>, existing: readonly Person[]): void {
    const says = JSON.stringify(body);
    if (existing.length > 0) this.faults.push(`an event to who exists: ${says}`);
    const { email, userId, eventName } = body;
    const asks = (row: Row): boolean =>
      row.email === email && row.userId === userId && row.subscribed !== false;
    const declaring = this.#resources.findIndex(
      ({ name, rows }) => eventName === `of ${name}` && rows.some(asks),
    );
    if (declaring < 0) this.faults.push(`an event that no row asks for: ${says}`);
    const provider = this.#resources[declaring]?.provider;
    const identity = { email: textOf(email), userId: textOf(userId) };
    const forbids = ({ name, rows }: Resource): boolean =>
      rows.some((row) => row.subscribed === false && isShared(row, identity)) ||
      this.#knew.get(`${provider} ${name}`)?.(identity) === true;
    // Another provider's resources are never known, nor those that `--target` leaves out.
    const forbidding = this.#resources.map(
      (one) => one.provider === provider && (this.#target ?? one.name) === one.name && forbids(one),
    );
    if (forbidding.slice(0, declaring + 1).includes(true))
      this.faults.push(`an event to who has opted out, or is known: ${says}`);
    else if (forbidding.includes(true)) this.#early += 1;
    for (const key of [email, userId].flatMap((one) => textOf(one) ?? [])) {
      if (this.#created.has(`${provider} ${key}`)) this.faults.push(`a second event in one run: ${says}`);
      this.#created.add(`${provider} ${key}`);
    }
  }

  /** The service is well: after a refresh and a run without errors it is what the program says, and a second run is idle. */
  async #end(): Promise<void> {
    const program = this.#declared();
    this.#target = undefined;
    const refreshed = await this.#engine.refresh();
    this.#noteStates();
    const { errors, told } = await this.#engine.up(program);
    this.log.push(`in the end: ${errors.join(' | ')}`);
    if (errors.length > 0) return;
    // An identifier that leads to another contact than before: it is reported, and no contact is changed.
    const isReported = [...refreshed.told, ...told].some((line) => line.includes('not compared'));
    for (const row of this.#resources.flatMap(({ rows }) => rows)) {
      const person = this.#service.find(row.userId ?? row.email ?? '') ?? this.#service.find(row.email ?? '');
      // Two declarations of one contact may never have been checked against each other.
      if (isReported || person === undefined || this.#rowsOf(person).length !== 1) continue;
      for (const name of ['firstName', 'plan'] as const)
        if (row[name] !== undefined && (person[name] ?? null) !== row[name])
          this.faults.push(`in the end ${name} is not ${JSON.stringify({ row, person })}`);
    }
    if (this.#service.people.some((person) => this.#rowsOf(person).length > 1)) return;
    this.#service.writes();
    const again = await this.#engine.up(program);
    const writes = this.#service.writes().filter((line) => !this.#isOfGone(line));
    if (again.errors.length > 0 || writes.length > 0)
      this.faults.push(`a second up: ${again.errors.join(' | ')} ${writes.join(' | ')}`);
  }

  #isOfGone(request: string): boolean {
    const identifier = /^PUT \/v1\/contacts\/(\S+)/.exec(request)?.[1];
    return identifier !== undefined && this.#service.find(identifier) === undefined;
  }
}

/** Whether two rows have the same email or userId. */
function isShared({ email, userId }: Row, other: Row): boolean {
  return (email !== undefined && other.email === email) || (userId !== undefined && other.userId === userId);
}

function emailOf(n: number): string {
  return `e${n}@x.io`;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
