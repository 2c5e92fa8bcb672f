import { createServer, type AddressInfo, type Server } from 'node:net';
import * as z from 'zod/mini';
import type { Problem } from '../messages.js';
import { SandboxError } from '../sandbox-error.js';

/** Makes a server listen. @throws SandboxError that says why it cannot, and what to do. */
export async function listen(server: Server, port: number, host: string): Promise<AddressInfo> {
  try {
    return await tryToListen(server, port, host);
  } catch (error) {
    const reason = await reasonFor(z.object({ code: z.string() }).safeParse(error).data?.code, port, host);
    throw reason === undefined ? error : new SandboxError(reason, 503);
  }
}

function tryToListen(server: Server, port: number, host: string): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address();
      if (address === null || typeof address === 'string') reject(new Error('The server has no port.'));
      else resolve(address);
    });
  });
}

async function reasonFor(code: string | undefined, port: number, host: string): Promise<Problem | undefined> {
  switch (code) {
    case 'EADDRINUSE':
      return { code: 'port_in_use', port, free: await freePort(port, host) };
    case 'EACCES':
      return { code: 'port_forbidden', port };
    case 'EADDRNOTAVAIL':
      return { code: 'no_address_here', host };
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return { code: 'no_host', host };
    default:
      return undefined;
  }
}

/** The next free port after one that is in use. */
async function freePort(after: number, host: string): Promise<number> {
  for (let port = after + 1; port <= Math.min(after + 100, 65_535); port += 1) {
    const server = createServer();
    const isFree = await tryToListen(server, port, host).then(
      () => true,
      () => false,
    );
    await new Promise((resolve) => server.close(resolve));
    if (isFree) return port;
  }
  return 0;
}
