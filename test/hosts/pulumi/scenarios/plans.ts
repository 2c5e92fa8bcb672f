import assert from 'node:assert/strict';
import { done, planned } from '../../../../pulumi-provider/testing/plan-counts.js';
import { Random } from '../../../../pulumi-provider/testing/random.js';
import type { Scenario } from './world.js';

const SITUATIONS = 40;
const PEOPLE = [0, 1, 2, 3] as const;

type Row = Readonly<Record<string, unknown>> & {
  readonly email: string;
  readonly userId?: string | undefined;
};

/** Draws a list before and after an edit, and what others do in between: the same each time. */
function draw(number: number) {
  const random = new Random(number);
  const int = (below: number): number => random.int(below);
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

const ALL = Array.from({ length: SITUATIONS }, (_, index) => draw(index + 1));

export const plans: readonly Scenario[] = [
  {
    name: `the plan of ${SITUATIONS} drawn situations counts what up then does`,
    seed: {
      subscriptionGroups: [{ id: 'news', name: 'News' }],
      contacts: ALL.flatMap(({ contacts }) => contacts),
    },
    async play(world) {
      await world.program(ALL.map((one) => listOf(one, one.before)).join(''));
      await world.up();
      for (const email of ALL.flatMap(({ left }) => left))
        await world.others.contacts.update(email, { subscriptionGroups: { news: false } });
      for (const email of ALL.flatMap(({ erased }) => erased)) await world.sandbox.deleteContact(email);
      await world.program(ALL.map((one) => listOf(one, one.after)).join(''));
      const plan = await world.stack.preview();
      const last = world.sandbox.requests().at(-1)?.id;
      const up = await world.stack.up({ flags: ['--continue-on-error'] });
      const requests = world.sandbox
        .requests(last === undefined ? {} : { after: last })
        .filter(({ method, status }) => method !== 'GET' && status === 200);
      const stored = await world.stack.resources();
      const seen = new Set<string>();
      for (const { name } of ALL) {
        const own = requests.filter((one) =>
          JSON.stringify([one.path, one.requestBody]).includes(`${name}-`),
        );
        const bodies = own.map(({ requestBody }) => requestBody);
        const entries = stored.find(({ urn }) => urn.endsWith(`::${name}`))?.outputs['entries'];
        const [says, did] = [said(plan.log, name), said(up.log, name)];
        const counts = planned(says);
        assert.deepEqual(counts, done(bodies, did, String(entries)), `${name}:\n${says}\n${did}`);
        for (const [kind, count] of Object.entries(counts)) if (count > 0) seen.add(kind);
      }
      assert.deepEqual([...seen].sort(), Object.keys(planned('')).sort());
    },
  },
];
