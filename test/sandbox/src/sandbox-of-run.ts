import { startSandbox, type RunningSandbox } from './start.js';

let running: RunningSandbox | undefined;

/**
 * Starts one sandbox for all test files of a run, and writes its address into the environment: `AUDIENCE_BASE_URL` and
 * `AUDIENCE_API_KEY`, which `AudienceClient.fromEnv()` reads.
 *
 * It is `globalSetup` of jest (with `audience-sandbox/global-teardown`) and of vitest, and goes into `before` of
 * `node:test`.
 *
 * @returns what ends it
 */
export async function globalSetup(): Promise<() => Promise<void>> {
  running = await startSandbox();
  process.env['AUDIENCE_BASE_URL'] = running.url;
  process.env['AUDIENCE_API_KEY'] = running.apiKey;
  return globalTeardown;
}

export async function globalTeardown(): Promise<void> {
  await running?.close();
  running = undefined;
}
