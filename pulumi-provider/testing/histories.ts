import { FakeEngine, type Declared, type Ended } from './fake-engine.js';
import { FakeService, type Fault, type Person } from './fake-service.js';

/** One declared contact. */
export interface Row {
  email?: string;
  userId?: string;
  firstName?: string | null;
  subscribed?: false;
  subscriptionGroups?: { news: boolean };
  properties?: { plan: string | null };
  clear?: string[];
}

/** One resource of the program: a `Contact` has one row. */
interface Resource {
  readonly type: 'contact' | 'contacts';
  name: string;
  provider: string;
  rows: Row[];
}

type Name = 'firstName' | 'plan' | 'news' | 'subscribed';

/** What a row declares, by field. */
function valuesOf(row: Row): Partial<Record<Name, unknown>> {
  const values: Partial<Record<Name, unknown>> = {
    firstName: row.clear?.includes('firstName') === true ? null : row.firstName,
    plan: row.clear?.includes('plan') === true ? null : row.properties?.plan,
    news: row.subscriptionGroups?.news,
    subscribed: row.subscribed,
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** The same for what a request sets, or what the service has. */
function flat(body: Readonly<Record<string, unknown>>): Partial<Record<Name, unknown>> {
  const groups: unknown = body['subscriptionGroups'];
  const isIn: unknown =
    typeof groups === 'object' && groups !== null && 'news' in groups ? groups.news : undefined;
  const all = {
    firstName: body['firstName'],
    plan: body['plan'],
    news: isIn,
    subscribed: body['subscribed'],
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** A random history of programs, services, people, faults and kills, and what in it breaks a rule. */
export class History {
  readonly steps: string[] = [];
  readonly violations: string[] = [];
  readonly #service: FakeService;
  readonly #engine: FakeEngine;
  readonly #random: (below: number) => number;
  #resources: Resource[] = [];
  /** The program of the run that is under way. */
  #program: readonly Declared[] = [];
  #named = 0;
  /** People who left the group by themselves: no row brings them back. */
  readonly #left = new Set<string>();
  /** People who signed up again after an opt-out: the row that said so does not unsubscribe them again. */
  readonly #signedUpAgain = new Set<string>();
  /** Identifiers that a program has declared as opted out: no later program has to create their contact. */
  readonly #optedOut = new Set<string>();
  /** Rows of each resource at the last run that did all, while it is in state: nobody of them gets an event. */
  #known = new Map<string, readonly Row[]>();
  /** Identifiers that got an event in this run. */
  readonly #created = new Set<string>();

  constructor(seed: number) {
    let state = (seed * 2_654_435_761) >>> 0 || 1;
    this.#random = (below) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    this.#service = new FakeService(this.#chance(2) ? 'replay' : 'refuse');
    this.#service.isLax = this.#chance(3);
    this.#service.tellsIds = !this.#chance(4);
    this.#engine = new FakeEngine(this.#service);
    this.#service.onWrite = (person, body) => this.#judgeWrite(person, body);
    this.#service.onEvent = (body, existing) => this.#judgeEvent(body, existing);
    for (let n = 0; n < 3; n += 1)
      this.#service.add({ email: emailOf(n), ...(this.#chance(2) ? { userId: `u${n}` } : {}) });
    this.#addResource();
  }

  /** Plays the history to its end. */
  async play(steps = 4): Promise<void> {
    for (let step = 0; step < steps && this.violations.length === 0; step += 1) {
      for (let edits = 1 + this.#random(2); edits > 0; edits -= 1) this.#edit();
      if (this.#chance(2)) this.#others();
      await this.#runOnce();
    }
    if (this.violations.length === 0) await this.#end();
  }

  #chance(of: number): boolean {
    return this.#random(of) === 0;
  }

  #pick<Item>(items: readonly Item[]): Item | undefined {
    return items[this.#random(items.length)];
  }

  #newRow(): Row {
    const n = this.#random(4);
    const kind = this.#random(3);
    return {
      ...(kind === 1 ? {} : { email: emailOf(n) }),
      ...(kind === 0 ? {} : { userId: `u${n}` }),
      firstName: 'a',
      ...(this.#chance(3) ? { subscriptionGroups: { news: true } } : {}),
    };
  }

  #addResource(): void {
    if (this.#resources.length >= 3) return;
    this.#named += 1;
    this.#resources.push({
      type: this.#chance(3) ? 'contact' : 'contacts',
      name: `r${this.#named}`,
      provider: this.#chance(4) ? 'two' : 'one',
      rows: [this.#newRow()],
    });
  }

  /** One change of the program. */
  #edit(): void {
    const resource = this.#pick(this.#resources);
    const row = resource && this.#pick(resource.rows);
    const kind = this.#random(20);
    this.steps.push(`edit ${kind} of ${resource?.name ?? 'none'}`);
    if (resource === undefined || kind === 0) this.#addResource();
    else if (kind === 1) this.#resources = this.#resources.filter((one) => one !== resource);
    else if (kind === 2) resource.name = `r${(this.#named += 1)}`;
    else if (kind === 3 && this.#chance(2)) resource.provider = resource.provider === 'one' ? 'two' : 'one';
    else if (kind === 4) this.#resources.reverse();
    else if (kind === 5 && resource.type === 'contacts') resource.rows = resource.rows.slice(this.#random(2));
    else if (row === undefined || kind === 6) {
      if (resource.type === 'contacts' && resource.rows.length < 4) resource.rows.push(this.#newRow());
    } else if (kind === 7 && resource.type === 'contacts') {
      // A row moves to another list.
      resource.rows = resource.rows.filter((one) => one !== row);
      this.#pick(this.#resources.filter(({ type }) => type === 'contacts'))?.rows.push(row);
    } else if (kind === 8 && resource.rows.length > 1) this.#swap(resource);
    else this.#editRow(row, kind);
  }

  #swap({ rows }: Resource): void {
    const [one, other] = [this.#pick(rows), this.#pick(rows)];
    if (one === undefined || other === undefined || one === other) return;
    const { email } = one;
    if (other.email === undefined) delete one.email;
    else one.email = other.email;
    if (email === undefined) delete other.email;
    else other.email = email;
  }

  #editRow(row: Row, kind: number): void {
    if (kind === 9) row.firstName = this.#pick(['a', 'b', 'c', null]) ?? null;
    else if (kind === 10) delete row.firstName;
    else if (kind === 11) row.properties = { plan: this.#pick(['p', 'q', null]) ?? null };
    else if (kind === 12) delete row.properties;
    else if (kind === 13) row.subscriptionGroups = { news: !this.#chance(3) };
    else if (kind === 14) delete row.subscriptionGroups;
    else if (kind === 15 && this.#chance(2)) row.subscribed = false;
    else if (kind === 16) delete row.subscribed;
    else if (kind === 17) row.email = emailOf(this.#random(5));
    else if (kind === 18) row.userId = `u${this.#random(5)}`;
    else if (kind === 19) {
      delete row.firstName;
      if (row.clear === undefined) row.clear = ['firstName'];
      else delete row.clear;
    }
    if (row.firstName !== undefined) delete row.clear;
  }

  /** Somebody else changes the service. */
  #others(): void {
    const person = this.#pick(this.#service.people);
    const kind = this.#random(6);
    this.steps.push(`others ${kind} to ${person?.id ?? 'nobody'}`);
    if (person === undefined) return;
    if (kind === 0) person['firstName'] = 'others';
    else if (kind === 1) {
      const leaver = this.#service.people.find((one) => flat(one).news === true) ?? person;
      if (flat(leaver).news === true) this.#left.add(leaver.id);
      leaver['subscriptionGroups'] = { news: false };
    } else if (kind === 2) this.#service.people.splice(this.#service.people.indexOf(person), 1);
    else if (kind === 3) {
      const email = emailOf(this.#random(5));
      if (this.#service.find(email) === undefined) person.email = email;
    } else if (kind === 4) {
      if (person['subscribed'] === false) this.#signedUpAgain.add(person.id);
      person['subscribed'] = true;
    } else this.#service.forgetKeys();
  }

  #declared(): readonly Declared[] {
    return this.#resources.flatMap(({ type, name, provider, rows }): Declared[] => {
      const createWithEvent = { eventName: `of ${name}` };
      const [first] = rows;
      if (type === 'contacts')
        return [{ type, name, provider, inputs: { contacts: structuredClone(rows), createWithEvent } }];
      return first === undefined
        ? []
        : [{ type, name, provider, inputs: { ...structuredClone(first), createWithEvent } }];
    });
  }

  /** One run, with its faults. */
  async #runOnce(): Promise<void> {
    this.#program = this.#declared();
    for (const { email, userId, subscribed } of this.#resources.flatMap(({ rows }) => rows))
      if (subscribed === false)
        for (const one of [email, userId]) if (one !== undefined) this.#optedOut.add(one);
    const isFaulty = this.#chance(3);
    if (isFaulty) this.#break();
    const kind = this.#random(9);
    this.#created.clear();
    const ended = await this.#run(kind);
    this.#service.fault = () => undefined;
    this.#service.isDead = false;
    this.steps.push(
      `run ${kind} of ${JSON.stringify(this.#program.map(({ name, provider, inputs }) => [name, provider, inputs]))}: ${ended.errors.join(' | ')}`,
    );
    this.#remember(kind, ended);
  }

  #break(): void {
    const faults: readonly (Fault | undefined)[] = ['cut before', 'cut after', 503, 400, undefined];
    const isLost = this.#chance(2);
    const fault = this.#pick(faults);
    const [from, length] = [this.#random(6), 1 + this.#random(20)];
    let number = 0;
    this.#service.fault = () => {
      number += 1;
      if (number < from || number > from + length) return undefined;
      if (fault === undefined) this.#service.isDead = true;
      return isLost && fault === undefined ? 'cut after' : fault;
    };
  }

  async #run(kind: number): Promise<Ended> {
    const program = this.#program;
    switch (kind) {
      case 0:
        return this.#engine.up(program, { refresh: true });
      case 1: {
        const one = this.#pick(program);
        return this.#engine.up(program, one === undefined ? {} : { target: [one.name] });
      }
      case 2:
        await this.#engine.refresh();
        return this.#engine.up(program);
      case 3: {
        const one = this.#pick(program.filter(({ type }) => type === 'contact'));
        const { email, userId } = one?.inputs ?? {};
        const id = typeof email === 'string' ? email : String(userId);
        if (one !== undefined && !this.#engine.state.has(`contact ${one.name}`))
          await this.#engine.import(one, id);
        return this.#engine.up(program);
      }
      case 4:
        await this.#engine.preview(program);
        return this.#engine.up(program);
      case 5:
        // For a while the service finds nobody.
        this.#service.reply = (request) =>
          request.includes(' /v1/contacts/') && !request.includes('/properties') ? [404, {}] : undefined;
        await this.#engine.refresh();
        this.#service.reply = () => undefined;
        return this.#engine.up(program);
      default:
        return this.#engine.up(program);
    }
  }

  #remember(kind: number, { errors }: Ended): void {
    const inState = (key: string): boolean => {
      const [type, name, provider] = key.split(' ');
      return this.#engine.state.get(`${type} ${name}`)?.provider === provider;
    };
    const known = new Map([...this.#known].filter(([key]) => inState(key)));
    // Of a targeted resource, state knows the rows of this run.
    if (kind === 1)
      for (const { type, name, provider, rows } of this.#resources) {
        const key = `${type} ${name} ${provider}`;
        const before = known.get(key);
        if (before !== undefined)
          known.set(
            key,
            before.filter((one) => rows.some((row) => isSame(one, row))),
          );
      }
    if (errors.length === 0 && kind !== 1) {
      known.clear();
      for (const { type, name, provider, rows } of this.#resources)
        // Of an opted-out row that does not exist, state knows nothing.
        known.set(
          `${type} ${name} ${provider}`,
          structuredClone(
            rows.filter(
              (row) =>
                (row.subscribed !== false || this.#isWritten(row)) &&
                // Of two rows of one contact, state has one entry.
                !rows.some((other) => other !== row && isShared(other, row)),
            ),
          ),
        );
    }
    this.#known = known;
  }

  #isWritten({ email, userId }: Row): boolean {
    return this.#service.find(userId ?? email ?? '')?.['subscribed'] === false;
  }

  /** Rows of the program that lead to a person, with the resource that declares them. */
  #rowsOf(person: Pick<Person, 'email' | 'userId'>): Row[] {
    return this.#resources
      .flatMap(({ rows }) => rows)
      .filter(({ email, userId }) =>
        userId !== undefined
          ? userId === person.userId ||
            (!isText(person.userId) && email !== undefined && email === person.email)
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
    const rows = [...new Set([...leading, ...joined])];
    if (rows.length === 0) this.violations.push(`wrote to somebody whom no row leads to: ${says}`);
    for (const [name, value] of Object.entries(flat(body))) {
      const isTaken = value === null || value === false;
      const isDeclared = rows.some((row) =>
        Object.entries(valuesOf(row)).some(([one, its]) => one === name && its === value),
      );
      if (isTaken && !isDeclared) this.violations.push(`took ${name}, which no row says: ${says}`);
      else if (!isDeclared) this.violations.push(`wrote ${name}, which no row says: ${says}`);
    }
    for (const name of ['email', 'userId'] as const) {
      const value = body[name];
      const holder = typeof value === 'string' ? this.#service.find(value) : undefined;
      if (holder !== undefined && holder !== person)
        this.violations.push(`gave away ${name} of ${holder.id}: ${says}`);
      if (value === null) this.violations.push(`took ${name}: ${says}`);
    }
    if (flat(body).news === true && this.#left.has(person.id))
      this.violations.push(`brought back who had left: ${says}`);
    const isAcknowledged = rows.every((row) =>
      this.#homesOf(row).every((key) =>
        this.#known.get(key)?.some((one) => isSame(one, row) && one.subscribed === false),
      ),
    );
    if (
      flat(body).subscribed === false &&
      this.#signedUpAgain.has(person.id) &&
      rows.length > 0 &&
      isAcknowledged
    )
      this.violations.push(`unsubscribed who signed up again: ${says}`);
  }

  #homesOf(row: Row): string[] {
    return this.#resources
      .filter(({ rows }) => rows.includes(row))
      .map(({ type, name, provider }) => `${type} ${name} ${provider}`);
  }

  #judgeEvent(body: Readonly<Record<string, unknown>>, existing: readonly Person[]): void {
    const says = JSON.stringify(body);
    if (existing.length > 0) this.violations.push(`an event to who exists: ${says}`);
    const { email, userId } = body;
    const isIt = (row: Row): boolean =>
      (row.email !== undefined && row.email === email) || (row.userId !== undefined && row.userId === userId);
    const isDeclaring = ({ rows }: Resource): boolean =>
      rows.some((row) => row.email === email && row.userId === userId && row.subscribed !== false);
    const declaring = this.#resources.findIndex(isDeclaring);
    // A resource that comes later in the program is not known yet, and another provider's is never known.
    const earlier = this.#resources.slice(0, declaring + 1);
    const provider = this.#resources[declaring]?.provider;
    if (
      earlier.some(
        (one) => one.provider === provider && one.rows.some((row) => row.subscribed === false && isIt(row)),
      )
    )
      this.violations.push(`an event to who has opted out: ${says}`);
    for (const key of [email, userId].filter(isText).map((one) => `${provider} ${String(one)}`)) {
      if (this.#created.has(key)) this.violations.push(`a second event in one run: ${says}`);
      this.#created.add(key);
    }
    const isKnown = this.#resources
      .filter(isDeclaring)
      .every(({ type, name, provider: of }) =>
        this.#known
          .get(`${type} ${name} ${of}`)
          ?.some((row) =>
            row.userId !== undefined && userId !== undefined ? row.userId === userId : isIt(row),
          ),
      );
    if (isKnown) this.violations.push(`an event for a known row: ${says}`);
  }

  /** The service is well again: after a refresh and a run without errors, it is what the program says. */
  async #end(): Promise<void> {
    this.#program = this.#declared();
    const refreshed = await this.#engine.refresh();
    this.#service.writes();
    const { errors, told: toldByUp } = await this.#engine.up(this.#program);
    // Who loses an address in this very run is missed by the next refresh.
    const isAnyMoved = this.#service.writes().some((line) => line.includes('"email"'));
    const told = [...refreshed.told, ...toldByUp];
    this.steps.push(`in the end: ${errors.join(' | ')}`);
    if (errors.length > 0) return;
    for (const row of this.#resources.flatMap(({ rows }) => rows)) {
      const person = this.#service.find(row.userId ?? row.email ?? '') ?? this.#service.find(row.email ?? '');
      const isTold = told.some(
        (line) =>
          line.includes('no longer exist') ||
          line.includes('do not exist') ||
          line.includes('does not exist') ||
          line.includes('not compared'),
      );
      if (person === undefined) {
        const isOptedOut = [row.email, row.userId].some(
          (one) => one !== undefined && this.#optedOut.has(one),
        );
        if (!isTold && !isOptedOut && row.subscribed !== false && !isAnyMoved && !this.#isShared(row))
          this.violations.push(`gone, and nobody says so: ${JSON.stringify(row)}`);
        continue;
      }
      // Two declarations of one contact that were never checked against each other.
      if (this.#rowsOf(person).length > 1) continue;
      if (isTold && this.#rowsOf(person).length === 0) continue;
      // An identifier that leads to another contact than before: it is reported, and no contact is changed.
      if (told.some((line) => line.includes('not compared'))) continue;
      for (const [name, value] of Object.entries(valuesOf(row))) {
        const has = Object.entries(flat(person)).find(([one]) => one === name)?.[1] ?? null;
        // What contacts decide for themselves is never drift.
        if (has !== value && name !== 'news' && name !== 'subscribed')
          this.violations.push(
            `in the end ${name} is not what ${JSON.stringify(row)} says: ${JSON.stringify(person)}`,
          );
      }
    }
    if (this.#service.people.some((person) => this.#rowsOf(person).length > 1)) return;
    this.#service.writes();
    const again = await this.#engine.up(this.#program);
    const writes = this.#service.writes().filter((line) => !this.#isOfGone(line));
    if (again.errors.length > 0 || writes.length > 0)
      this.violations.push(`a second up: ${again.errors.join(' | ')} ${writes.join(' | ')}`);
  }

  /** Whether another row has the same email or userId. */
  #isShared(row: Row): boolean {
    return this.#resources.flatMap(({ rows }) => rows).filter((one) => isShared(one, row)).length > 1;
  }

  #isOfGone(request: string): boolean {
    const identifier = /^PUT \/v1\/contacts\/(\S+)/.exec(request)?.[1];
    return identifier !== undefined && this.#service.find(identifier) === undefined;
  }
}

function isSame(one: Row, other: Row): boolean {
  return one.email === other.email && one.userId === other.userId;
}

/** Whether two rows have the same email or userId. */
function isShared({ email, userId }: Row, other: Row): boolean {
  return (email !== undefined && other.email === email) || (userId !== undefined && other.userId === userId);
}

function emailOf(n: number): string {
  return `e${n}@x.io`;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
