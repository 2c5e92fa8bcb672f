import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { Agent, createServer as createHttpsServer } from 'node:https';
import type { Server } from 'node:net';
import { join } from 'node:path';
import { AudienceClient, type AudienceClientOptions } from 'audience-core';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { Server as ProxyServer } from 'proxy-chain';
import { listen as listenOn } from '../../hosts/ports.js';

const certificate = readFileSync(join(__dirname, 'certificates/certificate.pem'));
const key = readFileSync(join(__dirname, 'certificates/key.pem'));

const KEY = 'key-0123456789';
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

function listen(server: Server, host?: string): Promise<number> {
  closers.push(() => new Promise((resolve) => server.close(resolve)));
  return listenOn(server, host);
}

const respond: RequestListener = (_request, response) => response.end('{"id":"c","success":true}');
const listenForTls = () => listen(createHttpsServer({ cert: certificate, key }, respond));

function connect(options: Omit<AudienceClientOptions, 'apiKey'>): AudienceClient {
  const client = new AudienceClient({ apiKey: KEY, maxRetries: 0, ...options });
  closers.push(() => client.close());
  return client;
}

async function expectToWork(client: AudienceClient): Promise<void> {
  expect(await client.contacts.get('ada@example.com')).toMatchObject({ id: 'c' });
  expect(await client.contacts.update('ada@example.com', { source: 'test' })).toMatchObject({
    success: true,
  });
}

test("a certificate of the user's own authority is trusted", async () => {
  const port = await listenForTls();
  const httpsAgent = new Agent({ ca: certificate, keepAlive: true });
  closers.push(() => httpsAgent.destroy());
  await expectToWork(connect({ baseUrl: `https://localhost:${port}`, httpsAgent }));
});

test('calls go through an HTTP proxy, by CONNECT', async () => {
  const tunnels: string[] = [];
  const proxy = new ProxyServer({
    host: '127.0.0.1',
    port: 0,
    prepareRequestFunction: ({ hostname, port, isHttp }) => {
      tunnels.push(`${isHttp ? 'http' : 'connect'} ${hostname}:${port}`);
      return {};
    },
  });
  await proxy.listen();
  closers.push(() => proxy.close(true));
  const port = await listenForTls();
  const httpsAgent = new HttpsProxyAgent(`http://127.0.0.1:${proxy.port}`);
  httpsAgent.options.ca = certificate;
  await expectToWork(connect({ baseUrl: `https://localhost:${port}`, httpsAgent }));
  expect(new Set(tunnels)).toEqual(new Set([`connect localhost:${port}`]));
});

/** Sets variables of the environment until the test ends. */
function setEnv(variables: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(variables)) process.env[name] = value;
  closers.push(() => {
    for (const name of Object.keys(variables)) Reflect.deleteProperty(process.env, name);
  });
}

test('plain http does not use the proxy of the environment, which would see the key', async () => {
  setEnv({ http_proxy: 'http://127.0.0.1:1' });
  const port = await listen(createServer(respond));
  await expectToWork(connect({ baseUrl: `http://127.0.0.1:${port}` }));
});

test('calls reach the IPv6 loopback', async () => {
  const port = await listen(createServer(respond), '::1');
  await expectToWork(connect({ baseUrl: `http://[::1]:${port}` }));
});

describe('the proxy of HTTPS_PROXY', () => {
  /** Addresses that are not this machine's, so that the answer is the proxy's own: it lets nobody through. */
  async function refusingProxy(): Promise<{ url: string; asked: string[] }> {
    const asked: string[] = [];
    const server = createServer();
    server.on('connect', ({ method, url, headers }, socket) => {
      asked.push(`${method} ${url} ${JSON.stringify(headers)}`);
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    });
    return { url: `http://127.0.0.1:${await listen(server)}`, asked };
  }

  test('gets a CONNECT request, and sees no key', async () => {
    const proxy = await refusingProxy();
    setEnv({ HTTPS_PROXY: proxy.url });
    const client = connect({ baseUrl: 'https://api.example.com' });
    await expect(client.contacts.get('ada@example.com')).rejects.toMatchObject({ status: 502 });
    expect(proxy.asked).toEqual([expect.stringMatching(/^CONNECT api\.example\.com:443 /)]);
    expect(proxy.asked.join()).not.toContain(KEY);
  });

  test("is not used for a host in NO_PROXY, nor with the caller's own agent", async () => {
    const proxy = await refusingProxy();
    setEnv({ HTTPS_PROXY: proxy.url, NO_PROXY: '127.0.0.1' });
    const port = await listenForTls();
    const direct = connect({ baseUrl: `https://127.0.0.1:${port}` }).contacts.get('a');
    await expect(direct).rejects.toMatchObject({ code: 'untrusted' });
    const httpsAgent = new Agent({ ca: certificate });
    await expectToWork(connect({ baseUrl: `https://localhost:${port}`, httpsAgent }));
    expect(proxy.asked).toEqual([]);
  });

  test('is in the error of a failed connection', async () => {
    setEnv({ HTTPS_PROXY: 'http://user:secret@127.0.0.1:1' });
    const call = connect({ baseUrl: 'https://api.example.com' }).contacts.get('ada@example.com');
    await expect(call).rejects.toThrow('api.example.com or at the proxy in HTTPS_PROXY (ECONNREFUSED).');
  });
});
