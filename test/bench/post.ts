import { request, type Agent } from 'node:http';

/** Sends an email with nothing but `node:http`, and gives the body of the response. */
export function post(
  agent: Agent,
  url: string,
  apiKey: string,
  email: object,
  key?: string,
): Promise<string> {
  const body = JSON.stringify(email);
  const headers = {
    authorization: `Bearer ${apiKey}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...(key === undefined ? {} : { 'idempotency-key': key }),
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
