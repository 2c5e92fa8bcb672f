import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request as a scripted server received it. */
export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** What the server does with a request. */
export type Reaction = (request: ReceivedRequest, response: ServerResponse) => void;

/** A real HTTP server on loopback that reacts to each request as a test wants it. */
export interface ScriptedServer {
  readonly url: string;
  readonly port: number;
  /** All requests so far, in order. */
  readonly received: ReceivedRequest[];
  /** The reactions to the next requests; the last one stays in force. */
  script(...reactions: Reaction[]): void;
  close(): Promise<void>;
}

/** Answers with a status and JSON, or text as it is. */
export function answer(status: number, body: unknown = '', headers: Record<string, string> = {}): Reaction {
  return (_request, response) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(text);
  };
}

/** Cuts the connection without a response. */
export const cut: Reaction = (_request, response) => {
  response.socket?.destroy();
};

/** Says nothing at all. */
export const hang: Reaction = () => undefined;

/** One server for all tests of a file; before each it forgets its requests, and reports success. */
export function forFile(use: (server: ScriptedServer) => void): void {
  let running: ScriptedServer | undefined;
  beforeAll(async () => {
    running = await startScriptedServer();
    use(running);
  });
  beforeEach(() => {
    running?.received.splice(0);
    running?.script(answer(200, { success: true }));
  });
  afterAll(() => running?.close());
}

/** Starts a scripted server on a free port of the given loopback address. */
export async function startScriptedServer(host = '127.0.0.1'): Promise<ScriptedServer> {
  const received: ReceivedRequest[] = [];
  let reactions: Reaction[] = [answer(200, { success: true })];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const request = {
        method: incoming.method ?? '',
        url: incoming.url ?? '',
        headers: incoming.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      };
      received.push(request);
      const reaction = reactions.length > 1 ? reactions.shift() : reactions[0];
      reaction?.(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = addressOf(server.address());
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    received,
    script: (...next) => {
      reactions = next;
    },
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

function addressOf(address: AddressInfo | string | null): AddressInfo {
  if (address === null || typeof address === 'string') throw new TypeError('The server has no port.');
  return address;
}
