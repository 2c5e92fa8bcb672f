import { beforeOf, Hashes, outputsSchema, type Entry } from '../src/resources/contacts/state.js';
import { FakeEngine, type Declared, type Ended } from './fake-engine.js';
import { FakeService, type Fault, type Person } from './fake-service.js';
import { done, planned } from './plan-counts.js';
import { Random } from './random.js';

/** One declared contact of a list. */
interface Row {
  readonly email?: string | undefined;
  readonly userId?: string | undefined;
  readonly firstName?: string | null | undefined;
  readonly news?: boolean | undefined;
  readonly subscribed?: false | undefined;
  /** The program says that the row is left out. */
  readonly skip?: true | undefined;
}

const EDITS = [
  'value null drop add remove put-back news news leave-news opt-out opt-out opt-in opt-in',
  'skip fit email userId swap rename split event event same same same same',
].flatMap((line) => line.split(' '));
const OTHERS = [
  'edit leave leave unsubscribe sign-up-again sign-up-again erase arrive address',
  'nothing nothing nothing',
].flatMap((line) => line.split(' '));
const FATES = [...Array<'ok'>(8).fill('ok'), 'before', 'after', 'stray'] as const;

/**
 * A random history of one list, as a model of the rules plays it: people leave, sign up again, are erased and arrive late;
 * the service loses responses and finds nobody for a while; state is lost, and runs are killed.
 */
export class RowHistory {
  readonly faults: string[] = [];
  readonly log: string[] = [];
  readonly #service = new FakeService('replay');
  readonly #engine = new FakeEngine(this.#service);
  readonly #random: Random;
  #rows: readonly Row[] = [];
  #removed: Row | undefined;
  /** Whether the list creates who does not exist. */
  #hasEvent = true;
  #isTwice = false;
  /** By the service's ids: who left, and who signed up again. */
  readonly #left = new Set<string>();
  readonly #signedUpAgain = new Set<string>();
  /** By identifier: rows that met their contact, state that was lost, acknowledged opt-outs, all that ever existed. */
  readonly #met = new Map<string, 'known' | 'gone'>();
  readonly #lost = new Set<string>();
  #optOuts = new Map<string, string>();
  readonly #ever = new Set<string>();
  /** Who got an event in this run. */
  readonly #mailed = new Set<string>();
  readonly #decidedOf = new Map<string, string>();

  constructor(seed: number) {
    this.#random = new Random(seed);
    this.#service.isLax = this.#random.once(2);
    this.#service.tellsIds = this.#random.int(4) > 0;
    for (let n = 0; n < 3; n += 1)
      this.#arrive({ email: `e${n}@x.io`, ...(this.#random.int(5) < 3 && { userId: `u${n}` }) });
    this.#rows = [this.#newRow()];
  }

  async play(): Promise<void> {
    for (let step = 0; step < 9 && this.faults.length === 0; step += 1) await this.#step();
    if (this.faults.length === 0 && !this.#isTwice && !this.#isRefused()) await this.#end();
  }

  async #step(): Promise<void> {
    const edit = this.#random.pick(EDITS) ?? '';
    this.#edit(edit, this.#random.pick(this.#rows));
    const other = this.#random.pick(OTHERS) ?? '';
    this.#change(other, this.#random.pick(this.#service.people));
    if (this.#random.once(3)) this.#service.forgetKeys();
    this.log.push(`${edit}; others: ${other}; rows ${JSON.stringify(this.#rows)}`);
    if (this.#isRefused()) return;
    await this.#run(this.#random.once(10));
    if (this.#random.int(10) < 3) await this.#refresh(this.#random.once(2));
  }

  #newRow(): Row {
    const [n, kind] = [this.#random.int(4), this.#random.int(3)];
    return {
      ...(kind !== 1 && { email: `e${n}@x.io` }),
      ...(kind !== 0 && { userId: `u${n}` }),
      firstName: 'a',
    };
  }

  #arrive(fields: { readonly email: string; readonly userId?: string }): void {
    for (const id of idsOf(this.#service.add(fields))) this.#ever.add(id);
  }

  #edit(edit: string, row: Row | undefined): void {
    if (edit === 'put-back' && this.#removed !== undefined) this.#rows = [...this.#rows, this.#removed];
    else if (edit === 'add' || edit === 'put-back' || row === undefined)
      this.#rows = [...this.#rows, this.#newRow()];
    else if (edit === 'remove') {
      this.#removed = row;
      this.#rows = this.#rows.filter((one) => one !== row);
    } else if (edit === 'event') this.#hasEvent = !this.#hasEvent;
    else if (edit === 'swap') {
      const other = this.#rows.find((one) => one !== row) ?? row;
      const emails = new Map([
        [row, other.email],
        [other, row.email],
      ]);
      this.#rows = this.#rows.map((one) => (emails.has(one) ? { ...one, email: emails.get(one) } : one));
    } else if (edit === 'rename' || edit === 'split') this.#lose(edit === 'rename');
    else this.#rows = this.#rows.map((one) => (one === row ? { ...one, ...this.#changeOf(edit) } : one));
  }

  #changeOf(edit: string): Row {
    const changes: Readonly<Record<string, Row>> = {
      value: { firstName: this.#random.pick(['a', 'b', 'c']) },
      null: { firstName: null },
      drop: { firstName: undefined },
      news: { news: true },
      'leave-news': { news: false },
      'opt-out': { subscribed: false },
      'opt-in': { subscribed: undefined },
      skip: { skip: true },
      fit: { skip: undefined },
      email: { email: `e${this.#random.int(5)}@x.io` },
      userId: { userId: `u${this.#random.int(5)}` },
    };
    return changes[edit] ?? {};
  }

  /** State is lost: of all rows, by another name of the list, or of some, which go into another list. */
  #lose(isAll: boolean): void {
    const { entries } = this.#state();
    const lost = entries.filter(() => isAll || this.#random.once(2));
    const ids = new Set(lost.flatMap(({ email, userId }) => [email, userId]));
    const isLost = (id: string): boolean => isAll || idsOf(this.#hashed(id)).some((hash) => ids.has(hash));
    for (const id of this.#met.keys()) if (isLost(id) && this.#met.delete(id)) this.#lost.add(id);
    for (const id of this.#optOuts.keys()) if (isLost(id)) this.#optOuts.delete(id);
    const stored = this.#engine.state.get(KEY);
    if (stored === undefined) return;
    if (isAll) this.#engine.state.delete(KEY);
    else {
      const lines = String(stored.outs['entries']).split('\n');
      const kept = lines.filter((_, index) => !lost.includes(entries[index] ?? NONE));
      this.#engine.state.set(KEY, {
        ...stored,
        outs: { ...stored.outs, entries: kept.join('\n'), written: '' },
      });
    }
  }

  /** The service changes behind our back. */
  #change(other: string, person: Person | undefined): void {
    const { people } = this.#service;
    const email = `e${this.#random.int(5)}@x.io`;
    const isFree = this.#service.find(email) === undefined;
    if (other === 'arrive' && isFree) this.#arrive({ email });
    if (person === undefined) return;
    if (other === 'edit') person['firstName'] = 'others';
    else if (other === 'leave') {
      const member = people.find((one) => newsOf(one) === true) ?? person;
      if (newsOf(member) === true) this.#left.add(member.id);
      member['subscriptionGroups'] = { news: false };
    } else if (other === 'unsubscribe') {
      this.#left.add(person.id);
      person['subscribed'] = false;
    } else if (other === 'sign-up-again' && person['subscribed'] === false) {
      this.#signedUpAgain.add(person.id);
      person['subscribed'] = true;
      if (newsOf(person) !== false) this.#left.delete(person.id);
    } else if (other === 'erase') people.splice(people.indexOf(person), 1);
    else if (other === 'address' && isFree) {
      person.email = email;
      this.#ever.add(email);
    }
  }

  #isRefused(): boolean {
    const ids = this.#rows.flatMap(idsOf);
    return new Set(ids).size < ids.length || this.#rows.some((row) => idsOf(row).length === 0);
  }

  async #refresh(isStray: boolean): Promise<void> {
    this.log.push(`  refresh${isStray ? ', all 404' : ''}`);
    if (isStray) this.#service.reply = (request) => (isOfContact(request) ? [404, {}] : undefined);
    const unsure = ({ values }: Entry): boolean => values.get('subscribed') === '?';
    const before = this.#state().entries.filter(unsure).length;
    await this.#engine.refresh();
    this.#service.reply = () => undefined;
    if (this.#state().entries.filter(unsure).length > before) this.faults.push('a refresh forgot an opt-out');
  }

  /** One run. State is as before after one that was killed. */
  async #run(isKilled = false, isWell = false, onWrite: (body: Body) => unknown = () => 0): Promise<Ended> {
    const [before, optOuts, saved] = [this.#state(), new Map(this.#optOuts), this.#engine.state.get(KEY)];
    this.#forgetRows(before.entries);
    this.#mailed.clear();
    const run = {
      written: new Map<Row, Person>(),
      judged: new Set<string>(),
      optedOut: new Map<Row, string>(),
    };
    this.#service.onWrite = (person, body) => this.#judgeWrite(person, body, { before, onWrite, ...run });
    this.#service.onEvent = (body) => this.#judgeEvent(body, before.entries);
    this.#service.onReplay = (body) => this.#noteMailed(body);
    if (!isWell) this.#break();
    const ended = await this.#engine.up([this.#declared()]);
    [this.#service.fault, this.#service.reply] = [() => undefined, () => undefined];
    for (const error of ended.errors) this.log.push(`  ${error}`);
    this.log.push(`  ${String(this.#engine.state.get(KEY)?.outs['entries']).replaceAll('\n', ' | ')}`);
    this.#settle(run, isKilled);
    if (!isKilled) return ended;
    this.log.push('  killed: state as before');
    this.#optOuts = optOuts;
    if (saved === undefined) this.#engine.state.delete(KEY);
    else this.#engine.state.set(KEY, saved);
    return ended;
  }

  /** Each request has its fate in this run: its response is lost, or the service finds nobody. */
  #break(): void {
    const fates = new Map<string, (typeof FATES)[number]>();
    const isStray = this.#random.once(10);
    const fateOf = (request: string): (typeof FATES)[number] => {
      const fate = fates.get(request) ?? this.#random.pick(FATES) ?? 'ok';
      fates.set(request, fate);
      return fate;
    };
    const isOfRow = (request: string): boolean => isOfContact(request) || request.startsWith('POST');
    // Reads that look for a person are right.
    const canStray = (request: string): boolean =>
      isOfContact(request) &&
      (request.startsWith('PUT') ||
        this.#rows.some((row) => idsOf(row).length === 1 && request.endsWith(`/${idsOf(row)[0]}`)));
    this.#service.fault = (request): Fault | undefined => {
      const fate = isOfRow(request) ? fateOf(request) : 'ok';
      return fate === 'before' ? 'cut before' : fate === 'after' ? 'cut after' : undefined;
    };
    this.#service.reply = (request) =>
      canStray(request) && (isStray || fateOf(request) === 'stray') ? [404, {}] : undefined;
  }

  /** What is known of rows that are no longer declared. */
  #forgetRows(entries: readonly Entry[]): void {
    const isRow = (key: string): boolean => this.#rows.some((row) => keyOf(row) === key);
    for (const key of this.#met.keys()) {
      const own = idsOf(this.#hashed(key));
      const entry = entries.find(
        (one) => one.absence !== 'nobody' && own.includes(one.userId ?? one.email ?? ''),
      );
      const isTaken = entry !== undefined && this.#rows.some((row) => this.#matches(entry, row));
      if (isRow(key)) continue;
      if (entry?.absence === 'gone' && !isTaken) this.#met.set(key, 'gone');
      else if (this.#met.get(key) !== 'gone' || entry !== undefined) this.#met.delete(key);
    }
    for (const id of this.#optOuts.keys())
      if (!this.#rows.some((row) => idsOf(row).includes(id) && (row.subscribed === false || isSkipped(row))))
        this.#optOuts.delete(id);
  }

  /** Notes what a run has done, as state and service have it. */
  #settle({ written, optedOut: ids }: Pick<RunFacts, 'written' | 'optedOut'>, isKilled: boolean): void {
    const { entries, hashes } = this.#state();
    const targets = this.#rows.flatMap((row) => this.#targetOf(row) ?? []);
    if (new Set(targets).size < targets.length) this.#isTwice = true;
    const people = [...written.values()];
    if (new Set(people).size < people.length) this.#isTwice = true;
    for (const row of this.#rows) {
      const entry = entries.find((one) => one.absence !== 'nobody' && this.#isOwn(one, row));
      const person = written.get(row);
      if (entry === undefined) continue;
      if (entry.absence === undefined) for (const id of idsOf(row)) this.#ever.add(id);
      const optedOut = ids.get(row) ?? idsOf(row).flatMap((id) => this.#optOuts.get(id) ?? [])[0];
      if (row.subscribed === false && entry.values.get('subscribed') === hashes.value('subscribed', false))
        for (const id of idsOf(row))
          if (optedOut !== undefined && idsOf(this.#hashed(id)).some((hash) => idsOf(entry).includes(hash)))
            this.#optOuts.set(id, optedOut);
      if (person === undefined || isKilled) continue;
      this.#met.set(keyOf(row), 'known');
      this.#lost.delete(keyOf(row));
    }
    const met = entries.filter(({ email, absence }) => absence !== 'nobody' && email !== '?');
    const emails = met.flatMap(({ email }) => email ?? []);
    if (new Set(emails).size < emails.length) this.faults.push('two entries with one email');
  }

  #judgeWrite(person: Person, body: Readonly<Record<string, unknown>>, run: RunFacts): void {
    const says = `${JSON.stringify(body)} to ${JSON.stringify(person)}`;
    run.onWrite(body);
    // A second attempt says the same.
    const attempt = `${person.id} ${JSON.stringify(body)}`;
    if (run.judged.has(attempt)) return;
    run.judged.add(attempt);
    const leading = this.#rows.filter((row) =>
      row.userId === undefined
        ? row.email === person.email
        : row.userId === person.userId || (person.userId === undefined && row.email === person.email),
    );
    const values: Body = { ...body, news: newsOf(body), subscriptionGroups: undefined };
    const faultsOf = (row: Row): string[] => this.#faultsOf(row, person, values, run);
    const row = leading.find((one) => faultsOf(one).length === 0) ?? leading[0];
    if (row === undefined) this.faults.push(`wrote to somebody else: ${says}`);
    else this.faults.push(...faultsOf(row).map((fault) => `${fault}: ${says}`));
    this.#judgeConsent(leading, person, values, run, says);
    for (const name of ['email', 'userId'] as const) {
      const given = body[name];
      if (typeof given !== 'string') continue;
      this.#ever.add(given);
      if (this.#service.people.some((other) => other !== person && other[name] === given))
        this.faults.push(`gave an identifier that another contact has: ${says}`);
    }
    if (row === undefined) return;
    run.written.set(row, person);
    if (values['subscribed'] === false) run.optedOut.set(row, person.id);
    for (const name of ['subscribed', 'news'] as const)
      if (values[name] !== undefined)
        for (const id of idsOf(row)) this.#decidedOf.set(`${name} ${id}`, person.id);
  }

  /** What a write to a contact does that its row does not say. */
  #faultsOf(row: Row, person: Person, values: Body, { before }: RunFacts): string[] {
    const faults: string[] = [];
    for (const name of ['firstName', 'news', 'subscribed'] as const) {
      const value = values[name];
      if (value !== undefined && row[name] !== value)
        faults.push(`wrote ${name}, which the row does not say`);
    }
    const hashed = before.hashes.identityOf(row);
    const ofOther = this.#rows.some(
      ({ userId, email }) => userId !== undefined && userId === person.userId && email !== row.email,
    );
    const theirs = before.hashes.identityOf({ userId: person.userId }).userId;
    if (
      row.userId === undefined &&
      ofOther &&
      before.entries.some((one) => one.userId === theirs && one.email === hashed.email)
    )
      faults.push('wrote to who is another row');
    const { firstName } = values;
    const entry = this.#entryOf(before.entries, row);
    if (
      typeof firstName === 'string' &&
      entry?.values.get('firstName') === before.hashes.value('firstName', firstName)
    )
      faults.push('wrote what was not changed over what others set');
    return faults;
  }

  /** People who left stay out, and people who signed up again are not unsubscribed again. */
  #judgeConsent(
    rows: readonly Row[],
    person: Person,
    values: Body,
    { optedOut }: RunFacts,
    says: string,
  ): void {
    // Two rows of one contact are written side by side.
    const isOut = person['subscribed'] === false && ![...optedOut.values()].includes(person.id);
    // A stray 404 hides that the contact was there, and has left.
    const isStray = idsOf(person).some((id) => this.#mailed.has(id));
    if (values['news'] === true && (this.#left.has(person.id) || isOut) && !isStray)
      this.faults.push(`brought back who had left: ${says}`);
    if (values['news'] === true) this.#left.delete(person.id);
    if (values['subscribed'] !== false || !this.#signedUpAgain.delete(person.id)) return;
    // Of two rows of one contact, one may say "no mail" for the first time.
    const optOuts = rows.filter(({ subscribed }) => subscribed === false).map(idsOf);
    const isOld = (ids: readonly string[]): boolean =>
      ids.some((id) => this.#optOuts.get(id) === person.id) && !ids.some((id) => this.#lost.has(id));
    if (optOuts.length > 0 && optOuts.every(isOld))
      this.faults.push(`unsubscribed who signed up again: ${says}`);
  }

  #judgeEvent({ email, userId }: Body, entries: readonly Entry[]): void {
    const says = JSON.stringify({ email, userId });
    const row = this.#rows.find((one) => one.email === email && one.userId === userId);
    const optedOut = this.#rows.filter(({ subscribed }) => subscribed === false).flatMap(idsOf);
    if (
      !this.#hasEvent ||
      row === undefined ||
      isSkipped(row) ||
      idsOf(row).some((id) => optedOut.includes(id))
    )
      this.faults.push(`an event to who has opted out, or is left out: ${says}`);
    else if (
      this.#met.has(keyOf(row)) ||
      entries.some((one) => one.absence !== 'nobody' && this.#matches(one, row))
    )
      this.faults.push(`an event for a known row: ${says}`);
    this.#noteMailed({ email, userId });
  }

  #noteMailed({ email, userId }: Body): void {
    for (const id of [email, userId]) {
      if (typeof id !== 'string') continue;
      this.#ever.add(id);
      this.#mailed.add(id);
    }
  }

  /** The service works: after up, refresh and up, each contact has what its row says, unless the row is refused. */
  async #end(): Promise<void> {
    this.log.push('in the end');
    this.#service.forgetKeys();
    const neverThere = this.#rows.filter(
      (row) =>
        this.#hasEvent &&
        idsOf(row).every((id) => !this.#ever.has(id)) &&
        row.subscribed !== false &&
        !isSkipped(row),
    );
    await this.#comparePlan();
    const before = this.#state();
    for (const row of neverThere)
      if (this.#targetOf(row) === undefined)
        this.faults.push(`who was never there is not created: ${JSON.stringify(row)}`);
    await this.#refresh(false);
    const { errors } = await this.#run(false, true);
    const { entries } = this.#state();
    const isRefused = (row: Row): boolean =>
      errors.some((text) => text.includes(`contacts[${this.#rows.indexOf(row)}]`) || text.includes(' more'));
    for (const row of this.#rows) {
      const person = this.#targetOf(row);
      const isAlone = this.#rows.every((one) => one === row || this.#targetOf(one) !== person);
      const entry = entries.find((one) => this.#isOwn(one, row));
      // A contact with another userId is somebody else.
      const isOther = row.userId !== undefined && (person?.userId ?? row.userId) !== row.userId;
      if (person === undefined || isOther || !isAlone || isRefused(row)) continue;
      if (row.subscribed === false && person['subscribed'] !== false && !this.#isAcknowledged(row, person))
        this.faults.push(`an opt-out was not written: ${JSON.stringify({ row, person })}`);
      const isSame = idsOf(row).every(
        (id) => idsOf(person).includes(id) || this.#service.find(id) === undefined,
      );
      if (isSkipped(row)) continue;
      if (entry?.absence === 'gone' && isSame && row.userId === person.userId && row.email === person.email)
        this.faults.push(`said gone who is there: ${JSON.stringify({ row, person })}`);
      if (entry?.absence !== undefined) continue;
      for (const name of ['firstName', 'news'] as const)
        if (row[name] !== undefined && this.#hasOther(row, person, name, before))
          this.faults.push(`in the end ${name} is not what the row says: ${JSON.stringify({ row, person })}`);
    }
  }

  /** What a plan counts is what the run does, where each row is another contact. */
  async #comparePlan(): Promise<void> {
    const { told } = await this.#engine.preview([this.#declared()]);
    const plan = told.filter((line) => line.startsWith('Contacts ')).join('\n');
    const [bodies, from]: [unknown[], number] = [[], this.#service.events.length];
    const { errors } = await this.#run(false, true, (body) => bodies.push(body));
    if (this.#isTwice) return;
    bodies.push(...this.#service.events.slice(from).map((event): unknown => JSON.parse(event)));
    const [says, did] = [planned(plan), done(bodies, errors.join())].map((counts) => JSON.stringify(counts));
    if (says !== did) this.faults.push(`the plan is not what up did: ${says}, ${did}\n${plan}`);
  }

  /** Whether an opt-out was written once, and the contact signed up again or was replaced by another. */
  #isAcknowledged(row: Row, person: Person): boolean {
    return idsOf(row).some((id) => {
      const optedOut = this.#optOuts.get(id);
      return optedOut !== undefined && (optedOut !== person.id || this.#signedUpAgain.has(person.id));
    });
  }

  /** Whether a contact lacks a value of its row. A group that it left, or that went to another contact, is never drift. */
  #hasOther(row: Row, person: Person, name: 'firstName' | 'news', { entries }: State): boolean {
    const value = name === 'news' ? newsOf(person) : (person['firstName'] ?? null);
    if (value === row[name]) return false;
    if (name === 'firstName') return true;
    const mayHaveLeft = newsOf(person) === false || person['subscribed'] === false;
    const wasJoined = entries.some((one) => this.#matches(one, row) && one.values.has(NEWS));
    const isOfOther = idsOf(row).some((id) => (this.#decidedOf.get(`news ${id}`) ?? person.id) !== person.id);
    return !mayHaveLeft && !wasJoined && !isOfOther;
  }

  #state(): State {
    const stored = this.#engine.state.get(KEY);
    if (stored === undefined) return { hashes: new Hashes(''), entries: [] };
    return beforeOf(outputsSchema.parse(stored.outs));
  }

  /** An identifier as state would have it. */
  #hashed(id: string): Pick<Entry, 'email' | 'userId'> {
    return this.#state().hashes.identityOf(id.includes('@') ? { email: id } : { userId: id });
  }

  #matches({ email, userId }: Entry, row: Row): boolean {
    const own = this.#state().hashes.identityOf(row);
    return (userId !== undefined && own.userId === userId) || (email !== undefined && own.email === email);
  }

  #isOwn(entry: Entry, row: Row): boolean {
    const own = this.#state().hashes.identityOf(row);
    return own.email === entry.email && own.userId === entry.userId;
  }

  #entryOf(entries: readonly Entry[], row: Row): Entry | undefined {
    const met = entries.filter(({ absence }) => absence !== 'nobody');
    const { userId } = this.#state().hashes.identityOf(row);
    return (
      met.find((one) => one.userId !== undefined && one.userId === userId) ??
      met.find((one) => this.#matches(one, row))
    );
  }

  #targetOf(row: Row): Person | undefined {
    const [first, second] = [row.userId ?? row.email ?? '', row.email ?? ''];
    return this.#service.find(first) ?? this.#service.find(second);
  }

  /** The program with its file as it is now. */
  #declared(): Declared {
    const contacts = this.#rows.map(({ email, userId, firstName, news, skip, subscribed }) => ({
      ...{ email, userId, ...(firstName === null ? { clear: ['firstName'] } : { firstName }) },
      ...(news !== undefined && { subscriptionGroups: { news } }),
      Mail: subscribed === false ? 'out' : skip === true ? 'skip' : 'in',
    }));
    const inputs = {
      ...{ contacts, consent: { Mail: { in: 'mail', out: 'no mail', skip: 'skip' } } },
      maxRemovals: 100,
      ...(this.#hasEvent && { createWithEvent: { eventName: 'joined' } }),
    };
    return { type: 'contacts', name: 'all', inputs };
  }
}

type Body = Readonly<Record<string, unknown>>;

interface State {
  readonly hashes: Hashes;
  readonly entries: readonly Entry[];
}

/** What a run began with, and to whom its rows were written. */
interface RunFacts {
  readonly before: State;
  readonly written: Map<Row, Person>;
  readonly judged: Set<string>;
  readonly optedOut: Map<Row, string>;
  readonly onWrite: (body: Body) => unknown;
}

const KEY = 'contacts all';
const NEWS = 'subscriptionGroups.news';
const NONE: Entry = { email: undefined, userId: undefined, values: new Map() };

function idsOf({
  email,
  userId,
}: {
  readonly email?: string | undefined;
  readonly userId?: string | undefined;
}): string[] {
  return [email, userId].flatMap((id) => id ?? []);
}

function keyOf({ email, userId }: Row): string {
  return userId ?? email ?? '';
}

/** A row that says "no mail" is never left out. */
function isSkipped({ subscribed, skip }: Row): boolean {
  return subscribed !== false && skip === true;
}

function newsOf(body: Body): unknown {
  const { subscriptionGroups: groups } = body;
  return typeof groups === 'object' && groups !== null && 'news' in groups ? groups.news : undefined;
}

function isOfContact(request: string): boolean {
  return request.includes(' /v1/contacts/') && !request.includes('/properties');
}
