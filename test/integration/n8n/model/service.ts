import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createHash } from 'node:crypto';
import { json } from 'node:stream/consumers';
import * as z from 'zod/v4';

/** What a service does with a used key. */
export type Kind = 'replays' | 'refuses' | 'binds';

/** What goes wrong with a request. */
export type Fate = 'ok' | '500' | 'lost before' | 'lost after' | 'slow';

/** A number from 0 to 1. */
export type Random = () => number;

/** An email that was received. */
export interface Received {
  readonly to: string;
  /** Which input item it is of, as the email's variable says. */
  readonly uid: number;
}

interface Answer {
  readonly status: number;
  readonly body: object;
}

/** A request that ended in a time-out of a gateway, and goes on. */
interface Slow {
  readonly key: string;
  readonly email: Received;
  readonly endsAt: number;
  readonly endsWell: boolean;
}

const PREFIX = '/v1';
const LONGEST_WORK_MS = 9 * 60_000;

/** The accounts of a service that takes emails, for a model: it knows no more than keys and what was received. */
export class ModelService {
  readonly received: Received[] = [];
  readonly #keys = new Map<string, { state: 'in progress' | 'refused' | 'done'; body: string }>();
  readonly #slow: Slow[] = [];
  requests = 0;

  /** @param says whether a 409 says why. */
  constructor(
    private readonly kind: Kind,
    private readonly says: boolean,
    private readonly random: Random,
    private readonly fates: () => readonly Fate[],
  ) {}

  /** Answers a request to send an email; nothing where the connection is cut. */
  send(key: string, email: Received, text: string): Answer | undefined {
    this.requests += 1;
    this.#settle();
    const body = createHash('sha256')
      .update(JSON.stringify([email, text]))
      .digest('hex');
    const known = this.#keys.get(key);
    if (known?.state === 'in progress')
      return this.#conflict('A request with this idempotency key is in progress');
    if (known !== undefined && this.kind === 'binds' && known.body !== body)
      return { status: 409, body: { message: 'This idempotency key was used with another payload' } };
    if (known?.state === 'done')
      return this.kind === 'replays' ? SENT : this.#conflict('This idempotency key was already used');
    const fate = this.#fate();
    if (fate === 'lost before') return undefined;
    if (text.includes('bad')) {
      if (this.kind === 'binds') this.#keys.set(key, { state: 'refused', body });
      return { status: 400, body: { message: 'The text is bad' } };
    }
    if (fate === '500') return { status: 500, body: {} };
    if (fate === 'slow') {
      this.#keys.set(key, { state: 'in progress', body });
      const endsAt = Date.now() + this.random() * LONGEST_WORK_MS;
      this.#slow.push({ key, email, endsAt, endsWell: this.random() < 0.5 });
      return { status: 504, body: {} };
    }
    this.#keys.set(key, { state: 'done', body });
    this.received.push(email);
    return fate === 'lost after' ? undefined : SENT;
  }

  #fate(): Fate {
    const fates = this.fates();
    return fates[Math.floor(this.random() * fates.length)] ?? 'ok';
  }

  #conflict(message: string): Answer {
    return { status: 409, body: this.says ? { message } : {} };
  }

  #settle(): void {
    for (const slow of this.#slow.filter(({ endsAt }) => endsAt <= Date.now())) {
      this.#slow.splice(this.#slow.indexOf(slow), 1);
      const known = this.#keys.get(slow.key);
      if (!slow.endsWell || known === undefined) this.#keys.delete(slow.key);
      else {
        this.#keys.set(slow.key, { state: 'done', body: known.body });
        this.received.push(slow.email);
      }
    }
  }
}

const SENT: Answer = { status: 200, body: { success: true } };

const DESIGNS = {
  pagination: {
    totalResults: 1,
    returnedResults: 1,
    perPage: 50,
    totalPages: 1,
    nextCursor: null,
    nextPage: null,
  },
  data: [
    { id: 'design', name: 'Model', lastUpdated: '2026-01-01T00:00:00.000Z', dataVariables: ['text', 'uid'] },
  ],
};

/** A server in front of the accounts, which are chosen by API key. Requests for others get no response. */
export async function serve(account: (apiKey: string) => ModelService | undefined): Promise<{
  readonly url: string;
  readonly close: () => Promise<void>;
}> {
  const server = createServer((request, response) => {
    void answer(request, response, account);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => {
          done();
        });
      }),
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  account: (apiKey: string) => ModelService | undefined,
): Promise<void> {
  if (request.method === 'GET' && request.url?.startsWith(`${PREFIX}/transactional`) === true) {
    reply(response, 200, DESIGNS);
    return;
  }
  const apiKey = String(request.headers.authorization).replace('Bearer ', '');
  const { email, dataVariables } = bodySchema.parse(await json(request));
  const key = String(request.headers['idempotency-key']);
  const received = { to: email, uid: dataVariables.uid };
  const said = account(apiKey)?.send(key, received, dataVariables.text);
  if (said === undefined) request.socket.destroy();
  else reply(response, said.status, said.body);
}

const bodySchema = z.object({
  email: z.string(),
  dataVariables: z.object({ text: z.string(), uid: z.number() }),
});

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
