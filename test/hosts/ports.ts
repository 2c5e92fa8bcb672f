import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/**
 * Lets a server listen on a free port of this machine, and gives the port.
 *
 * @throws Error where there is none.
 */
export async function listen(server: Server, host = '127.0.0.1'): Promise<number> {
  server.listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}

/** A port on which nobody listens. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}
