import assert from 'node:assert/strict';
import { isRecord } from 'audience-core/internal';
import type { RequestLogEntry } from 'audience-sandbox';
import type { StoredResource } from '../engine.js';
import { inWorld, type Scenario } from './world.js';

const SITUATIONS = 40;
const PEOPLE = [0, 1, 2, 3] as const;

/** What a plan counts, as it words it. */
const COUNTED: Readonly<Record<string, RegExp>> = {
  events: /(\d+) gets? the event/g,
  joins: /(\d+) joins? group/g,
  leaves: /(\d+) leaves? group/g,
  unsubscribed: /(\d+) (?:is|are) unsubscribed/g,
  loses: /(\d+) loses? /g,
  refused: /(\d+) (?:rows? cannot be written|do(?:es)? not exist and will fail)/g,
  notJoined: /(\d+) contacts? (?:is|are) not in group 'news' and may have left it: not added\. 'pulumi up'/g,
  nobody: /(\d+) contacts? that wants? no mail do(?:es)? not exist/g,
};
type Counts = Readonly<Record<string, number>>;

type Row = Readonly<Record<string, unknown>> & {
  readonly email: string;
  readonly userId?: string | undefined;
};

/** Draws a list before and after an edit, and what others do in between: the same each time. */
function draw(number: number) {
  let state = Math.imul(number, 2_654_435_761) >>> 0 || 1;
  const int = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const name = `s${String(number).padStart(2, '0')}`;
  const emailOf = (n: number): string => `${name}-${n}@example.com`;
  const contacts = PEOPLE.filter(() => int(4) > 0).map((n) => ({
    email: emailOf(n),
    ...(int(2) === 0 && { userId: `${name}-${n}` }),
    ...(int(2) === 0 && { firstName: 'Own' }),
    ...[{}, { subscriptionGroups: { news: true } }, { subscriptionGroups: { news: false } }][int(3)],
    subscribed: int(6) > 0,
  }));
  const before = PEOPLE.filter(() => int(4) > 0).map((n): Row => {
    const contact = contacts.find(({ email }) => email === emailOf(n));
    if (contact === undefined) return { email: emailOf(n), subscribed: false };
    return { email: emailOf(n), ...(int(2) === 0 && { userId: contact.userId }), firstName: 'A' };
  });
  const edited = PEOPLE.filter(() => int(6) > 0).map((n): Row => {
    const known = before.find(({ email }) => email === emailOf(n));
    return {
      email: emailOf(int(8) === 0 ? int(6) : n),
      userId: int(4) === 0 ? `${name}-${int(6) === 0 ? int(4) : n}` : known?.userId,
      firstName: ['A', 'B', null, undefined][int(4)],
      ...(int(3) === 0 && { subscriptionGroups: { news: int(4) > 0 } }),
      ...(int(5) === 0 && { subscribed: false }),
    };
  });
  // Two rows of one contact are refused.
  const isTwin = (one: Row, other: Row): boolean =>
    one.email === other.email || (one.userId !== undefined && one.userId === other.userId);
  const after = edited.filter((row, index) => edited.findIndex((one) => isTwin(one, row)) === index);
  const [erased = [], left = []] = [8, 4].map((of) =>
    contacts.flatMap(({ email }) => (int(of) === 0 ? email : [])),
  );
  return { name, contacts, before, after, erased, left, hasEvent: int(3) > 0 };
}

function listOf({ name, hasEvent }: ReturnType<typeof draw>, contacts: readonly Row[]): string {
  const event = hasEvent && { createWithEvent: { eventName: 'joined' } };
  return `new Contacts('${name}', ${JSON.stringify({ contacts, maxRemovals: 100, ...event })});`;
}

/** What a run says about one list. */
function said(log: readonly string[], name: string): string {
  const from = log.lastIndexOf(`  audience:index:Contacts (${name}):`) + 1;
  const lines = from === 0 ? [] : log.slice(from);
  return lines
    .slice(
      0,
      lines.findIndex((line) => !line.startsWith('    ')),
    )
    .join('\n');
}

/** What `up` did to the contacts of one list: by its requests, its state and the rows that failed. */
function done(requests: readonly RequestLogEntry[], stored: StoredResource | undefined, log: string): Counts {
  const bodies = requests.map(({ requestBody }) => (isRecord(requestBody) ? requestBody : {}));
  const inNews = (isIn: boolean): number =>
    bodies.filter(({ subscriptionGroups: groups }) => isRecord(groups) && groups['news'] === isIn).length;
  const entries = String(stored?.outputs['entries']).split('\n');
  const [, written = 0, all = 0] = /(\d+) of (\d+) contacts? (?:is|are) done/.exec(log) ?? [];
  return {
    events: bodies.filter((body) => 'eventName' in body).length,
    joins: inNews(true),
    leaves: inNews(false),
    unsubscribed: bodies.filter(({ subscribed }) => subscribed === false).length,
    loses: bodies.filter(({ firstName }) => firstName === null).length,
    refused: Number(all) - Number(written),
    notJoined: entries.filter((entry) => /^\S+ \S+ \S*-/.test(entry)).length,
    nobody: entries.filter((entry) => entry.endsWith(' nobody')).length,
  };
}

function planned(plan: string): Counts {
  const count = (pattern: RegExp): number =>
    Array.from(plan.matchAll(pattern), ([, number]) => Number(number)).reduce((sum, one) => sum + one, 0);
  return Object.fromEntries(Object.entries(COUNTED).map(([name, pattern]) => [name, count(pattern)]));
}

export const plans: readonly Scenario[] = [
  {
    only: 'native',
    name: `the plan of ${SITUATIONS} drawn situations counts what up then does`,
    run: (engine) => {
      const all = Array.from({ length: SITUATIONS }, (_, index) => draw(index + 1));
      const contacts = all.flatMap((one) => one.contacts);
      const seed = { subscriptionGroups: [{ id: 'news', name: 'News' }], contacts };
      return inWorld(engine, { seed }, async (world) => {
        await world.program(all.map((one) => listOf(one, one.before)).join(''));
        await world.up();
        for (const email of all.flatMap(({ left }) => left))
          await world.others.contacts.update(email, { subscriptionGroups: { news: false } });
        for (const email of all.flatMap(({ erased }) => erased)) await world.sandbox.deleteContact(email);
        await world.program(all.map((one) => listOf(one, one.after)).join(''));
        const plan = await world.stack.preview();
        const last = world.sandbox.requests().at(-1)?.id;
        const up = await world.stack.up({ continueOnError: true });
        const requests = world.sandbox
          .requests(last === undefined ? {} : { after: last })
          .filter(({ method, status }) => method !== 'GET' && status === 200);
        const stored = await world.stack.resources();
        const seen = new Set<string>();
        for (const { name } of all) {
          const own = requests.filter((one) =>
            JSON.stringify([one.path, one.requestBody]).includes(`${name}-`),
          );
          const resource = stored.find(({ urn }) => urn.endsWith(`::${name}`));
          const [says, did] = [said(plan.log, name), said(up.log, name)];
          const counts = planned(says);
          assert.deepEqual(counts, done(own, resource, did), `${name}:\n${says}\n${did}`);
          for (const kind of Object.keys(counts)) if (counts[kind] !== 0) seen.add(kind);
        }
        assert.deepEqual([...seen].sort(), Object.keys(COUNTED).sort());
      });
    },
  },
];
