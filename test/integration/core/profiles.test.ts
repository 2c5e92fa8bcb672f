import { AudienceClient, defineSchema } from 'audience-core';
import { PRESET_NAMES, startSandbox, type RunningSandbox } from 'audience-sandbox';

jest.setTimeout(120_000);

const contacts = { note: 'string', score: 'number', active: 'boolean', renewsAt: 'date' } as const;
const schema = defineSchema({ contacts });

describe.each(PRESET_NAMES)('a service of the kind %s', (preset) => {
  let sandbox: RunningSandbox;
  let audience: AudienceClient<typeof schema>;

  beforeAll(async () => {
    sandbox = await startSandbox({
      profile: { preset },
      seed: {
        designs: [{ id: 'd0', name: 'Design' }],
        subscriptionGroups: [{ id: 'g1', name: 'One' }],
        properties: Object.entries(contacts).map(([name, type]) => ({ name, type })),
        contacts: [{ email: 'ada@example.com', userId: 'ada' }],
      },
    });
    audience = new AudienceClient({
      baseUrl: sandbox.url,
      apiKey: sandbox.apiKey,
      schema,
      timeoutMs: 2_000,
      usedKeyStatus: sandbox.profile().usedKeyStatus,
    });
  });
  beforeEach(() => {
    sandbox.reset();
  });
  afterAll(async () => {
    audience.close();
    await sandbox.close();
  });

  test.each([
    { firstName: 'Ada', note: '', score: -1.5, active: false, subscriptionGroups: { g1: true } },
    { firstName: '', note: 'ü', score: 0, renewsAt: new Date('2027-01-31T09:30:00Z') },
    { firstName: null, note: null, score: null, active: null, renewsAt: null },
  ])('written values are read unchanged: %j', async (changes) => {
    await audience.contacts.update('ada@example.com', changes);
    const contact = await audience.contacts.get('ada');
    const read = Object.keys(changes).map((name) => [name, contact[name] ?? null]);
    expect(Object.fromEntries(read)).toEqual(changes);
  });

  test('an email whose response is lost is sent once, and reported as sent', async () => {
    sandbox.faults.next({ route: 'sendTransactionalEmail', respond: { status: 503 }, when: 'after' });
    const sent = await audience.transactional.send({ email: 'ada@example.com', transactionalId: 'd0' });
    expect(sent).toMatchObject({ success: true });
    expect(sent.attempts).toBeGreaterThan(1);
    expect(await sandbox.emails()).toHaveLength(1);
  });

  test('a property whose response is lost is reported as created if the list has it, else as unclear', async () => {
    sandbox.faults.next({ route: 'createContactProperty', cut: true, when: 'after' });
    const showsLate = sandbox.profile().visibleAfterMs > 0;
    const created = audience.properties.create({ name: 'plan', type: 'string' });
    if (showsLate) await expect(created).rejects.toMatchObject({ unclear: true });
    else expect(await created).toMatchObject({ success: true, deduplicated: true });
    expect(sandbox.requests({ route: 'createContactProperty' })).toHaveLength(1);
    expect(sandbox.export().properties?.map(({ name }) => name)).toContain('plan');
  });
});
