import { History } from '../../testing/histories.js';
import { RowHistory } from '../../testing/row-histories.js';

/** How many histories are played; `.ci/run` plays others. */
const COUNT = Number(process.env['HISTORIES'] ?? 120);
const FIRST = Number(process.env['FIRST'] ?? 1);
// A slow machine is no failure: this only ends what hangs.
const TIMEOUT_MS = 60_000 + COUNT * 1_000;

/** How many histories are played at once. */
const AT_ONCE = 4;

async function broken(
  play: (seed: number) => Promise<{ readonly faults: readonly string[]; readonly log: readonly string[] }>,
) {
  const found: string[] = [];
  const playOne = async (seed: number): Promise<void> => {
    const { faults, log } = await play(seed);
    if (faults.length > 0) found.push(`history ${seed}: ${faults.join('\n  ')}\n    ${log.join('\n    ')}`);
  };
  for (let seed = FIRST; seed < FIRST + COUNT && found.length < 3; seed += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, more) => playOne(seed + more)));
  return found.join('\n');
}

/** Random programs of several resources, judged by what the service received. */
test(
  `${COUNT} histories of programs break no rule`,
  async () => {
    const all = broken(async (seed) => {
      const history = new History(seed);
      await history.play();
      return { faults: history.violations, log: history.steps };
    });
    expect(await all).toBe('');
  },
  TIMEOUT_MS,
);

/** Random edits, services, people, faults and kills around the rows of one list. */
test(
  `${COUNT} histories of rows break no rule`,
  async () => {
    const all = broken(async (seed) => {
      const history = new RowHistory(seed);
      await history.play();
      return history;
    });
    expect(await all).toBe('');
  },
  TIMEOUT_MS,
);
