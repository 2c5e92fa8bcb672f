import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Server } from 'node:net';

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

/** A server for each test of a file: what a test before has given up may still be on its way to that one's. */
export function forEachTest(use: (server: ScriptedServer) => void): void {
  let running: ScriptedServer | undefined;
  beforeEach(async () => {
    running = await startScriptedServer();
    use(running);
  });
  afterEach(() => running?.close());
}

/** Starts a server on a free port that reports success until it is scripted. */
async function startScriptedServer(): Promise<ScriptedServer> {
  const received: ReceivedRequest[] = [];
  let reactions: Reaction[] = [answer(200, { success: true })];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const { method = '', url = '', headers } = incoming;
      const request = { method, url, headers, body: Buffer.concat(chunks).toString('utf8') };
      received.push(request);
      const reaction = reactions.length > 1 ? reactions.shift() : reactions[0];
      reaction?.(request, response);
    });
  });
  return {
    url: `http://127.0.0.1:${await listen(server, '127.0.0.1')}`,
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

/** Lets a server listen on a free port, and gives the port. */
export async function listen(server: Server, host?: string): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('The server has no port.');
  return address.port;
}
