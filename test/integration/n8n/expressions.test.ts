import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as z from 'zod/v4-mini';
import { NO_IDENTIFIERS, SENT, STOPPED } from './expressions/cases.js';
import type { Played } from './expressions/play.js';

/** `vm` is what n8n uses unless told otherwise, and the other suites use `legacy`. `.ci/run` asks for `all`. */
const ENGINES =
  process.env['EXPRESSION_ENGINES'] === 'all' ? (['legacy', 'vm', 'quickjs'] as const) : (['vm'] as const);

const playedSchema = z.array(z.object({ sent: z.optional(z.unknown()), error: z.optional(z.string()) }));

/** In a process of its own, as jest cannot load most of the engines. */
async function playIn(engine: string): Promise<Played[]> {
  const child = [require.resolve('tsx/cli'), require.resolve('./expressions/child.ts'), engine];
  const { stdout } = await promisify(execFile)(process.execPath, child);
  return playedSchema.parse(JSON.parse(stdout.trim().split('\n').at(-1) ?? ''));
}

describe.each(ENGINES)("on n8n's engine %s", (engine) => {
  let played: Played[] = [];
  beforeAll(async () => {
    played = await playIn(engine);
  });

  test.each(SENT.map(([expression, sent], index) => [expression, sent, index] as const))(
    '%s is sent',
    (_expression, sent, index) => {
      const { error, sent: received } = played[index] ?? {};
      expect(error).toBeUndefined();
      if (sent instanceof RegExp) expect(received).toMatch(sent);
      else expect(received).toEqual(sent);
    },
  );

  const stopped = [...STOPPED, ...NO_IDENTIFIERS].map(([one, code], index) => [one, code, index] as const);
  test.each(stopped)('%s stops the item: %s', (_expression, code, index) => {
    expect(played[SENT.length + index]?.error).toBe(code);
  });
});
