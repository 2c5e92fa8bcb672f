import type { Transport } from 'audience-core/internal';
import * as messages from '@pulumi/pulumi/proto/provider_pb';
import { specialSecretSig, specialSigKey, unknownValue } from '@pulumi/pulumi/runtime/rpc';
import { Empty } from 'google-protobuf/google/protobuf/empty_pb';
import { Struct, type JavaScriptValue } from 'google-protobuf/google/protobuf/struct_pb';
import { FakeService, runOn } from '../../testing/fake-service.js';
import { call, pluginOverGrpc, type PluginOverGrpc } from '../../testing/plugin-over-grpc.js';
import { SECRET_SIGNATURE, SIGNATURE_KEY, UNKNOWN_TEXT } from '../engine/codec.js';

let plugin: PluginOverGrpc;
let service: FakeService;

beforeEach(async () => {
  service = new FakeService();
  plugin = await pluginOverGrpc(() => runOn(service));
});
afterEach(() => plugin.close());

const urn = (type: string): string => `urn:pulumi:test::project::audience:index:${type}::it`;
const provider = (name: string): string => `urn:pulumi:test::project::pulumi:providers:audience::${name}`;
const struct = (value: Record<string, JavaScriptValue>): Struct => Struct.fromJavaScript(value);
const secret = (value: JavaScriptValue): JavaScriptValue => ({ [specialSigKey]: specialSecretSig, value });

function checkConfig(name: string, news: Record<string, JavaScriptValue>): Promise<messages.CheckResponse> {
  const request = new messages.CheckRequest().setUrn(provider(name)).setNews(struct(news));
  return call((done) => plugin.client.checkConfig(request, done));
}

function check(type: string, news: Record<string, JavaScriptValue>): Promise<messages.CheckResponse> {
  const request = new messages.CheckRequest().setUrn(urn(type)).setNews(struct(news));
  return call((done) => plugin.client.check(request, done));
}

function diff(
  type: string,
  outs: Record<string, JavaScriptValue>,
  news: Record<string, JavaScriptValue>,
): Promise<messages.DiffResponse> {
  const request = new messages.DiffRequest()
    .setUrn(urn(type))
    .setId('c1')
    .setOlds(struct(outs))
    .setNews(struct(news));
  return call((done) => plugin.client.diff(request, done));
}

describe('the texts of the protocol', () => {
  it("are those of Pulumi's SDK", () => {
    expect([UNKNOWN_TEXT, SIGNATURE_KEY, SECRET_SIGNATURE]).toEqual([
      unknownValue,
      specialSigKey,
      specialSecretSig,
    ]);
  });
});

describe('the arguments of a provider', () => {
  const ARGS = { baseUrl: 'https://api.example.com', apiKey: 'key' };

  it('pass when they can work, as texts of the configuration as well, and the key comes back as a secret', async () => {
    const texts = { ...ARGS, movedFrom: 'https://old.example.com', allowInsecure: 'false' };
    const response = await checkConfig('default', texts);
    expect(response.getFailuresList()).toEqual([]);
    expect(response.getInputs()?.toJavaScript()).toEqual({ ...texts, apiKey: secret('key') });
    expect((await checkConfig('eu', { ...ARGS, apiKey: 42 })).getFailuresList()).toEqual([]);
  });

  it.each([
    ['no address', { apiKey: 'key' }, "the provider's argument 'baseUrl'"],
    ['plain http', { ...ARGS, baseUrl: 'http://api.example.com' }, 'must begin with https://'],
  ])('are refused with %s', async (_name, args, says) => {
    const [failure, ...others] = (await checkConfig('default', args)).getFailuresList();
    expect(failure?.getReason()).toContain(says);
    expect(others).toEqual([]);
  });

  it('that are not known yet are left for later', async () => {
    expect((await checkConfig('eu', { apiKey: 'key', baseUrl: unknownValue })).getFailuresList()).toEqual([]);
  });
});

describe('properties on their way', () => {
  const email = 'ada@example.com';
  type Properties = Record<string, JavaScriptValue>;
  test.each<[string, string, Properties, Properties]>([
    [
      'stay secrets, and lose what an older provider left in them',
      'Contact',
      { email: secret(email), __provider: 'code', firstName: secret('Ada') },
      { email: secret(email), firstName: secret('Ada') },
    ],
    [
      'that are not known yet stay so',
      'Contact',
      { email: unknownValue, properties: { seats: unknownValue } },
      { email: unknownValue, properties: { seats: unknownValue } },
    ],
    [
      'are secrets where they are people, whatever the program says',
      'Contacts',
      { contacts: [{ email }] },
      { contacts: secret([{ email }]) },
    ],
    ...['2027-01-31', '2027-01-31T02:00:00+02:00', 1801353600].map(
      (endsAt): [string, string, Properties, Properties] => [
        `that are dates as ${endsAt} are kept as Unix seconds`,
        'Contact',
        { email, properties: { endsAt } },
        { email, properties: { endsAt: 1801353600 } },
      ],
    ),
  ])('%s', async (_title, type, news, inputs) => {
    service.add({ email });
    const response = await check(type, news);
    expect(response.getFailuresList()).toEqual([]);
    expect(response.getInputs()?.toJavaScript()).toEqual(inputs);
  });
});

it('a secret value is in no reason of a failure', async () => {
  const response = await check('Contact', { email: secret('ghost@example.com'), firstName: 'Ghost' });
  const [failure] = response.getFailuresList();
  expect(failure?.getReason()).toContain('[secret]');
  expect(failure?.getReason()).not.toMatch(/ghost(@|%40)/);
});

describe('a difference', () => {
  const address = 'https://api.example.com';

  it('there is of a value that is declared no more', async () => {
    const old = { email: 'a@x.io', firstName: 'A' };
    service.add({ email: 'a@x.io', id: 'c1' });
    const response = await diff('Contact', { ...old, address }, { email: 'a@x.io' });
    expect(response.getChanges()).toBe(messages.DiffResponse.DiffChanges.DIFF_SOME);
  });

  it('of a name replaces a property', async () => {
    const old = { name: 'seats', type: 'number' };
    const response = await diff('ContactProperty', old, { name: 'plan', type: 'number' });
    expect(response.getReplacesList()).toEqual(['name']);
  });

  it('there is none between what is the same', async () => {
    const old = { email: 'a@x.io', firstName: 'A' };
    const response = await diff('Contact', { ...old, address }, old);
    expect(response.getChanges()).toBe(messages.DiffResponse.DiffChanges.DIFF_NONE);
  });
});

describe('after a cancel', () => {
  it('nothing begins: a create is refused and sends nothing', async () => {
    await call((done) => plugin.client.cancel(new Empty(), done));
    const request = new messages.CreateRequest()
      .setUrn(urn('ContactProperty'))
      .setProperties(struct({ name: 'other', type: 'string' }));
    const create = call((done) => plugin.client.create(request, done));
    await expect(create).rejects.toThrow(/The run was cancelled/);
    expect(service.writes()).toEqual([]);
  });

  it('half-way in Contacts: what is under way ends, and nothing more begins', async () => {
    const contacts = Array.from({ length: 300 }, (_, index) => ({
      email: `p${index}@x.io`,
      firstName: 'New',
    }));
    for (const { email } of contacts) service.add({ email });
    const [{ promise: reached, resolve: reach }, { promise: held, resolve: release }] = [
      Promise.withResolvers<undefined>(),
      Promise.withResolvers<undefined>(),
    ];
    let writes = 0;
    const transport: Transport = async (request) => {
      if (request.method === 'PUT' && (writes += 1) > 100) {
        reach(undefined);
        await held;
      }
      return service.transport(request);
    };
    const cancelled = await pluginOverGrpc((signal) =>
      runOn({ transport }, { cancelled: signal, concurrency: 8 }),
    );
    try {
      const inputs = (await check('Contacts', { contacts })).getInputs();
      const creating = new messages.CreateRequest().setUrn(urn('Contacts')).setProperties(inputs);
      const create = call<messages.CreateResponse>((done) => cancelled.client.create(creating, done));
      const end = create.catch((error: unknown) => error);
      await Promise.race([reached, end]);
      await call((done) => cancelled.client.cancel(new Empty(), done));
      release(undefined);
      expect(await end).toMatchObject({
        reasons: expect.arrayContaining(['The run stopped early: the run was cancelled.']) as unknown,
      });
      expect(service.writes()).toHaveLength(writes);
      // What waits for its turn has not begun.
      expect(writes).toBeLessThanOrEqual(108);
    } finally {
      cancelled.close();
    }
  });
});

describe('a fault of ours', () => {
  it('is reported as one, without its stack', async () => {
    const request = new messages.DeleteRequest()
      .setUrn(urn('ContactProperty'))
      .setId('x')
      .setProperties(struct({}));
    const silent = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    const deletion = call((done) => plugin.client.delete(request, done));
    await expect(deletion).rejects.toThrow(/has a fault: .*Please report it/s);
    silent.mockRestore();
  });
});
