import dns from 'node:dns';
import { readFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates, TLSSocket } from 'node:tls';
import type { End } from './ends.js';
import { listen } from './scripted-server.js';

const FOLDER = join(__dirname, '../../test/integration/core/certificates');
const [cert, key] = ['certificate.pem', 'key.pem'].map((name) => readFileSync(join(FOLDER, name), 'utf8'));

/** Breaks a connection on which a request has arrived. `raw` is below TLS, where there is any. */
type Break = (socket: Socket, raw: Socket) => unknown;

const write =
  (text: string | Buffer): Break =>
  (socket) =>
    socket.end(text);
const head = (...lines: string[]): string => ['HTTP/1.1 200 OK', ...lines, '', ''].join('\r\n');
const record =
  (type: number, body: number[]): Break =>
  (_, raw) =>
    raw.end(Buffer.from([type, 3, 3, 0, body.length, ...body]));

/** Ways in which a response is lost: the request arrived. */
const ARRIVED: readonly (readonly [name: string, protocol: 'http' | 'https', breaks: Break])[] = [
  ['it is closed', 'http', (socket) => socket.end()],
  ['it is reset', 'http', (socket) => socket.resetAndDestroy()],
  ['the headers are cut off', 'http', write('HTTP/1.1 200 OK\r\nContent-')],
  ['the body is cut off', 'http', write(`${head('Content-Length: 100')}{"succ`)],
  ['the body never ends', 'http', (socket) => socket.write(`${head('Content-Length: 100')}{"succ`)],
  ['a chunk is broken', 'http', write(`${head('Transfer-Encoding: chunked')}zz\r\n{}`)],
  ['the response is not HTTP', 'http', write('220 mail.example.com ESMTP\r\n')],
  ['the headers are too long', 'http', write(head(`X-Long: ${'x'.repeat(1_000_000)}`))],
  ['nothing comes', 'http', () => undefined],
  ['TLS is reset', 'https', (_, raw) => raw.resetAndDestroy()],
  ['a TLS record is broken', 'https', record(23, Array<number>(64).fill(7))],
  ['there is a TLS alert', 'https', record(21, [2, 40])],
  ['there is no TLS any more', 'https', (_, raw) => raw.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')],
];

/** Ways in which a request never leaves; each gives a base URL. */
const NEVER_LEFT: readonly (readonly [name: string, urlOf: () => string | Promise<string>, proxy: string])[] =
  [
    ['nothing listens', async () => `http://127.0.0.1:${await unusedPort()}`, ''],
    [
      'nothing listens at two addresses',
      async () => `http://two-addresses.example:${await unusedPort()}`,
      '',
    ],
    ['nothing listens over IPv6', async () => `http://[::1]:${await unusedPort()}`, ''],
    ['the host is not found', () => 'http://nowhere.invalid', ''],
    ['the lookup fails', () => 'https://no-lookup.example', ''],
    ['the address cannot be reached', () => 'http://255.255.255.255', ''],
    ['the certificate is not trusted', async () => `https://localhost:${await silent()}`, ''],
    ['the certificate is of another name', async () => `https://127.0.0.2:${await silent()}`, ''],
    ['nothing listens at the proxy', () => 'https://api.example.com', 'http://127.0.0.1:1'],
    ['the proxy is not found', () => 'https://api.example.com', 'http://nowhere.invalid:80'],
  ];
const silent = () => serve('https', () => undefined);

const servers: (() => void)[] = [];
/** How many requests have arrived. */
let arrived = 0;

/** A server that lets a connection break as soon as a request is there. */
async function serve(protocol: 'http' | 'https', breaks: Break): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((raw) => {
    const socket = protocol === 'http' ? raw : new TLSSocket(raw, { isServer: true, cert, key });
    let text = '';
    for (const one of [raw, socket]) one.on('error', () => undefined);
    sockets.add(raw);
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      if (!text.endsWith('}')) return;
      arrived += 1;
      // The service restarts: a fetch that repeats the request is refused, and reports only that.
      server.close();
      breaks(socket, raw);
    });
  });
  servers.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return listen(server);
}

async function unusedPort(): Promise<number> {
  const server = createServer();
  const port = await listen(server, '127.0.0.1');
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Hosts of the tests, each with the addresses that a lookup gives. */
const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  'two-addresses.example': ['127.0.0.1', '127.0.0.3'],
  'no-lookup.example': [],
};

/** Gives addresses, or the errors of a real lookup, for the hosts of the tests. */
function fakeLookup(): () => void {
  const real = dns.lookup;
  const lookup = (host: string, options: dns.LookupOptions, done: (...args: unknown[]) => void): void => {
    const addresses = ADDRESSES[host];
    if (addresses === undefined) Reflect.apply(real, dns, [host, options, done]);
    else if (addresses.length === 0)
      done(
        Object.assign(new Error(`getaddrinfo EMFILE ${host}`), { code: 'EMFILE', syscall: 'getaddrinfo' }),
      );
    else if (options.all === true)
      done(
        null,
        addresses.map((address) => ({ address, family: 4 })),
      );
    else done(null, addresses[0], 4);
  };
  Reflect.set(dns, 'lookup', lookup);
  return () => Reflect.set(dns, 'lookup', real);
}

/**
 * Tests of one transport: "not sent" is said of a request that never left, and of no other.
 *
 * @param send sends an email, trying once, and says how that ended.
 * @param isCertain whether the transport can know that a request never left. What stands in for fetch cannot.
 */
export function testLostRequests(
  send: (baseUrl: string, timeoutMs: number) => Promise<End>,
  { usesProxy, isCertain }: { readonly usesProxy: boolean; readonly isCertain: boolean },
): void {
  const trusted = getCACertificates('default');
  let isTrusting = false;
  /** Each change reads some hundred certificates. */
  const trust = (isTest: boolean): void => {
    if (isTest !== isTrusting) setDefaultCACertificates(isTest ? [...trusted, cert ?? ''] : trusted);
    isTrusting = isTest;
  };
  let restore: () => void = () => undefined;
  beforeEach(() => {
    arrived = 0;
    restore = fakeLookup();
  });
  afterEach(() => {
    restore();
    delete process.env['HTTPS_PROXY'];
    for (const close of servers.splice(0)) close();
  });

  afterAll(() => trust(false));

  test.each(ARRIVED)('the request arrived, and then %s', async (_, protocol, breaks) => {
    trust(protocol === 'https');
    const url = `${protocol}://localhost:${await serve(protocol, breaks)}`;
    expect([await send(url, 500), arrived]).toEqual(['unclear', 1]);
  });

  test.each(NEVER_LEFT.filter(([, , proxy]) => usesProxy || proxy === ''))(
    'the request never left: %s',
    async (what, urlOf, proxy) => {
      trust(what.includes('another name'));
      if (proxy !== '') process.env['HTTPS_PROXY'] = proxy;
      expect([await send(await urlOf(), 5_000), arrived]).toEqual([isCertain ? 'not sent' : 'unclear', 0]);
    },
  );
}
