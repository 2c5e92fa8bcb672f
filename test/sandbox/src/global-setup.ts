import { startSandbox } from './start.js';
import type { RunningSandbox } from './start.js';

let running: RunningSandbox | undefined;

/**
 * Starts one sandbox for all test files, and leaves where it is in the environment: `AUDIENCE_BASE_URL` and
 * `AUDIENCE_API_KEY`, which `AudienceClient.fromEnv()` reads.
 *
 * This file is `globalSetup` of vitest and of `node --test`; jest has `audience-sandbox/jest/global-setup`.
 */
export async function globalSetup(): Promise<void> {
  running = await startSandbox();
  process.env['AUDIENCE_BASE_URL'] = running.url;
  process.env['AUDIENCE_API_KEY'] = running.apiKey;
}

/** Ends it. */
export async function globalTeardown(): Promise<void> {
  await running?.close();
  running = undefined;
}

// As vitest calls them.
export { globalSetup as setup, globalTeardown as teardown };
