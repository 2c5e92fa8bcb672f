import { fork } from 'node:child_process';
import { once } from 'node:events';
import { request, type Agent } from 'node:http';
import { join } from 'node:path';
import * as z from 'zod/v4-mini';

interface BareServer {
  readonly url: string;
  readonly end: () => Promise<unknown>;
}

/** Starts a server that responds to every request at once with success, in a separate process. */
export async function startBareServer(): Promise<BareServer> {
  const child = fork(join(__dirname, 'core-server.ts'), { execArgv: ['--import', 'tsx'] });
  const messages: unknown[] = await once(child, 'message');
  return {
    url: `http://127.0.0.1:${z.number().parse(messages[0])}`,
    end: () => {
      const ended = once(child, 'exit');
      child.disconnect();
      return ended;
    },
  };
}

/** Sends an email with nothing but `node:http`, and gives the body of the response. */
export function post(agent: Agent, url: string, apiKey: string, email: object): Promise<string> {
  const body = JSON.stringify(email);
  const headers = {
    authorization: `Bearer ${apiKey}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(`${url}/v1/transactional`, { agent, method: 'POST', headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        if (response.statusCode === 200) resolve(Buffer.concat(chunks).toString('utf8'));
        else reject(new Error(`An email was answered with ${String(response.statusCode)}.`));
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
