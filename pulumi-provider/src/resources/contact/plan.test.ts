import { isDeepStrictEqual } from 'node:util';
import type { Declared } from '../../../testing/fake-engine.js';
import type { FakeService } from '../../../testing/fake-service.js';
import { Random } from '../../../testing/random.js';
import { start } from '../../../testing/start.js';
import { contact } from './contact.js';

type Inputs = Readonly<Record<string, unknown>>;

const ADA = 'ada@x.io';
const OTHER = 'other@x.io';

/** What others do to the service in the meantime. */
const CHANGES: readonly ((service: FakeService) => unknown)[] = [
  ...Array<() => void>(3).fill(() => undefined),
  ({ people }) => people.shift(),
  ({ people: [ada] }) => Object.assign(ada ?? {}, { subscriptionGroups: { news: false } }),
  ({ people: [ada] }) => Object.assign(ada ?? {}, { subscribed: false }),
  ({ people: [ada] }) => Object.assign(ada ?? {}, { email: 'theirs@x.io' }),
  ({ people: [ada] }) => Object.assign(ada ?? {}, { firstName: 'theirs' }),
  ({ people: [ada] }) => Object.assign(ada ?? {}, { userId: 'u3' }),
];

const EDITS: readonly Inputs[] = [
  { firstName: 'B' },
  { firstName: null },
  { firstName: undefined },
  { subscriptionGroups: { news: true } },
  { subscriptionGroups: { news: true } },
  { subscriptionGroups: { news: false } },
  { subscribed: false },
  { userId: 'u1' },
  { userId: 'u2' },
  { email: 'new@x.io' },
  { email: OTHER },
];

/** Draws an update; says what its plan tells and what the update itself does. */
async function drawn(seed: number) {
  const random = new Random(seed);
  const userId = random.once(3) ? undefined : 'u1';
  const { service, engine } = start({ email: ADA, userId }, { email: OTHER, userId: 'u2' });
  const before = { email: ADA, userId, firstName: 'A' };
  const ada = (inputs: Inputs): Declared[] => [{ type: 'contact', name: 'ada', inputs }];
  expect((await engine.up(ada(before))).errors).toEqual([]);
  random.pick(CHANGES)?.(service);
  if (random.once(3)) await engine.refresh();
  const after: Inputs = { ...before, ...random.pick(EDITS), ...random.pick(EDITS) };
  const { outs = {} } = engine.state.get('contact ada') ?? {};
  const names = Object.keys(after).filter(
    (name) => after[name] !== undefined && !isDeepStrictEqual(after[name], outs[name]),
  );
  service.writes();
  const plan = await engine.preview(ada(after));
  expect(service.writes()).toEqual([]);
  // The update has to come to the same without what `diff` looks up.
  const diff = jest.spyOn(contact, 'diff').mockResolvedValue({ changes: true });
  const up = await engine.up(ada(after));
  diff.mockRestore();
  const told = ({ codes, errors }: typeof up) => ({
    error: errors.length > 0 ? codes.at(-1) : undefined,
    mayHaveLeft: codes.includes('contact.mayHaveLeft'),
  });
  const says = told(plan);
  const bodies = service.writes().map((line): unknown => JSON.parse(/\{.*$/.exec(line)?.[0] ?? '{}'));
  const written = bodies.flatMap((body) => Object.keys(body ?? {}));
  const isWritten = (name: string): boolean => name !== 'subscriptionGroups' || !says.mayHaveLeft;
  return {
    says: { ...says, names: says.error === undefined ? names.filter(isWritten).sort() : [] },
    did: { ...told(up), names: written.sort() },
  };
}

it('the plan of an update says what the update does, in forty drawn situations', async () => {
  const ends = new Set<unknown>();
  for (let seed = 21; seed <= 60; seed += 1) {
    const { says, did } = await drawn(seed);
    expect({ seed, ...did }).toEqual({ seed, ...says });
    ends.add(says.mayHaveLeft ? 'mayHaveLeft' : (says.error ?? 'written'));
  }
  expect([...ends].sort()).toEqual([
    ...['contact.goneChanged', 'contact.refused', 'identity.needsUserId', 'mayHaveLeft', 'written'],
  ]);
});
