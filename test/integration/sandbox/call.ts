import type { RunningSandbox } from 'audience-sandbox';

/** A request as a test writes it down. */
export interface CallOptions {
  readonly body?: unknown;
  /** Sent as it is, in the place of `body`. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Makes the caller give up. */
  readonly signal?: AbortSignal;
}

/** What came back. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** One sandbox for all tests of a file, which begins anew with each. */
export function forFile(start: () => Promise<RunningSandbox>): void {
  let running: RunningSandbox | undefined;
  beforeAll(async () => {
    running = await start();
  });
  beforeEach(() => {
    running?.reset();
  });
  afterAll(() => running?.close());
}

/** Sends a request with the sandbox's own API key, unless `headers` say otherwise. */
export async function call(
  sandbox: Pick<RunningSandbox, 'url' | 'apiKey'>,
  method: string,
  path: string,
  { body, raw, key, headers, signal }: CallOptions = {},
): Promise<Answer> {
  const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await fetch(sandbox.url + path, {
    method,
    headers: {
      Authorization: `Bearer ${sandbox.apiKey}`,
      ...(payload === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(key === undefined ? {} : { 'Idempotency-Key': key }),
      ...headers,
    },
    ...(payload === undefined ? {} : { body: payload }),
    ...(signal === undefined ? {} : { signal }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return text;
  }
}

/** The answer to a request that was refused, to compare with. */
export function refused(message: RegExp) {
  return { success: false, message: text(message) };
}

/** Any text, or one that fits a pattern, to compare with. */
export function text(pattern = /./): unknown {
  return expect.stringMatching(pattern);
}
