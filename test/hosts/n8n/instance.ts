import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod/v4-mini';
import { packAll } from '../installed/pack.js';
import { freePort } from '../ports.js';
import { until } from '../until.js';
import { installN8n, N8N_COMMAND } from './install.js';

const run = promisify(execFile);

/** Who owns the instance. It listens on this machine only, so this is no secret. */
export const OWNER = { email: 'you@example.com', password: 'Audience-sandbox-1' };
const OWNER_PASSWORD_HASH = '$2a$10$2IV17IFkxNgYMA5mXFsV7u.7wvDyomr3YjuArzvQjiKutyjSKKr9y';

/** How a whole n8n is set up. */
export interface InstanceOptions {
  /** Folder for everything that n8n keeps. */
  readonly folder: string;
  /** Port of the editor; a free one unless given. */
  readonly port?: number;
  /** Further environment variables for n8n. */
  readonly env?: Readonly<Record<string, string>>;
  /** Told what is being done. */
  readonly report?: (line: string) => void;
}

/** A whole n8n in a folder of its own, with the packed node package installed as a community node. */
export class N8nInstance {
  private constructor(
    readonly folder: string,
    readonly port: number,
    private readonly env: NodeJS.ProcessEnv,
  ) {}

  /** Installs n8n where needed, packs the built node package and installs that into a new instance. */
  static async create(options: InstanceOptions): Promise<N8nInstance> {
    const report = options.report ?? (() => undefined);
    await installN8n(report);
    const port = options.port ?? (await freePort());
    const brokerPort = await freePort();
    const env = {
      ...inherited(),
      N8N_USER_FOLDER: options.folder,
      N8N_ENCRYPTION_KEY: 'this-instance-is-for-trying-out-only',
      N8N_PORT: String(port),
      N8N_LISTEN_ADDRESS: '127.0.0.1',
      N8N_RUNNERS_BROKER_PORT: String(brokerPort),
      N8N_SECURE_COOKIE: 'false',
      N8N_INSTANCE_OWNER_MANAGED_BY_ENV: 'true',
      N8N_INSTANCE_OWNER_EMAIL: OWNER.email,
      N8N_INSTANCE_OWNER_FIRST_NAME: 'You',
      N8N_INSTANCE_OWNER_LAST_NAME: 'Here',
      N8N_INSTANCE_OWNER_PASSWORD_HASH: OWNER_PASSWORD_HASH,
      N8N_REINSTALL_MISSING_PACKAGES: 'false',
      // Nothing of a trial instance is anybody else's business, and there may be no network.
      N8N_DIAGNOSTICS_ENABLED: 'false',
      N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
      N8N_TEMPLATES_ENABLED: 'false',
      N8N_PERSONALIZATION_ENABLED: 'false',
      N8N_HIRING_BANNER_ENABLED: 'false',
      ...options.env,
    };
    const instance = new N8nInstance(options.folder, port, env);
    await instance.installNode();
    return instance;
  }

  /** Address of the editor. */
  get url(): string {
    return `http://localhost:${this.port}`;
  }

  /** Starts the editor and the engine, and waits until both are ready. */
  async start(log = 'n8n.log'): Promise<N8nProcess> {
    const child = this.spawn(['start'], log);
    await waitUntilReady(`http://127.0.0.1:${this.port}/healthz/readiness`, child, join(this.folder, log));
    return child;
  }

  /** Starts a worker of queue mode, whose health check listens on a port of its own. */
  async startWorker(log: string): Promise<N8nProcess> {
    const port = await freePort();
    const child = this.spawn(['worker', '--concurrency=5'], log, {
      QUEUE_HEALTH_CHECK_ACTIVE: 'true',
      QUEUE_HEALTH_CHECK_PORT: String(port),
      N8N_RUNNERS_BROKER_PORT: String(await freePort()),
    });
    await waitUntilReady(`http://127.0.0.1:${port}/healthz/readiness`, child, join(this.folder, log));
    return child;
  }

  /** Logs in as the owner. */
  async login(): Promise<N8nApi> {
    const response = await fetch(`${this.url}/rest/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ emailOrLdapLoginId: OWNER.email, password: OWNER.password }),
    });
    if (!response.ok) throw new Error(`n8n refused the login: ${response.status} ${await response.text()}`);
    const cookie = response.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
    return new N8nApi(this.url, cookie.join('; '));
  }

  private spawn(args: string[], log: string, env: Record<string, string> = {}): N8nProcess {
    const child = spawn(process.execPath, [N8N_COMMAND, ...args], {
      env: { ...this.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const file = createWriteStream(join(this.folder, log), { flags: 'a' });
    child.stdout.pipe(file);
    child.stderr.pipe(file);
    return new N8nProcess(child);
  }

  /** As the README of the node says. n8n-workflow is an optional peer, which n8n itself has. */
  private async installNode(): Promise<void> {
    const nodes = join(this.folder, '.n8n', 'nodes');
    const { 'n8n-nodes-audience': tarball } = await packAll(this.folder);
    await run('npm', ['install', '--prefix', nodes, tarball.file]);
  }
}

/** n8n's own interface of the editor, logged in. */
export class N8nApi {
  constructor(
    private readonly url: string,
    private readonly cookie: string,
  ) {}

  /** Calls it and reads what it answers under `data`. */
  async call<Data extends z.ZodMiniType>(
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    data: Data,
    body?: unknown,
  ): Promise<z.infer<Data>> {
    const response = await fetch(`${this.url}/rest${path}`, {
      method,
      // n8n closes a connection that was idle for five seconds, perhaps just when the next request uses it.
      headers: { cookie: this.cookie, 'content-type': 'application/json', connection: 'close' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`n8n answered ${method} ${path} with ${response.status}: ${text}`);
    return data.parse(z.object({ data: z.unknown() }).parse(JSON.parse(text)).data);
  }
}

/** A process of n8n. */
export class N8nProcess {
  readonly #exited: Promise<unknown>;

  constructor(private readonly child: ChildProcess) {
    this.#exited = once(child, 'exit');
  }

  get hasExited(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Ends it at once, as a crash does. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.#exited;
  }

  /** Lets it end in good order. */
  async stop(): Promise<void> {
    this.child.kill('SIGTERM');
    const hard = setTimeout(() => this.child.kill('SIGKILL'), 15_000);
    await this.#exited;
    clearTimeout(hard);
  }
}

async function waitUntilReady(url: string, child: N8nProcess, log: string): Promise<void> {
  const ready = until(`n8n is ready; see ${log}`, async () => {
    if (child.hasExited) throw new Error(`n8n ended while it was starting; see ${log}.`);
    return await fetch(url).then(
      ({ ok }) => ok || undefined,
      () => undefined,
    );
  });
  await ready.catch(async (error: unknown) => {
    await child.kill();
    throw error;
  });
}

/** The environment less what belongs to npm and to an n8n of the person's own. */
function inherited(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(npm_|N8N_|NODE_ENV|JEST_|DB_|QUEUE_|EXECUTIONS_)/.test(name),
    ),
  );
}
