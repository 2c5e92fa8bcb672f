import { History } from '../../testing/histories.js';
import { RowHistory } from '../../testing/row-histories.js';

/** How many histories are played; `.ci/run` plays others. */
const COUNT = Number(process.env['HISTORIES'] ?? 120);
const FIRST = Number(process.env['FIRST'] ?? 1);
// A slow machine is no failure: this only ends what hangs.
const TIMEOUT_MS = 60_000 + COUNT * 1_000;

/** How many histories are played at once. */
const AT_ONCE = 4;

/** What a model plays. */
interface Playable {
  readonly faults: readonly string[];
  readonly log: readonly string[];
  play(): Promise<void>;
}

async function broken(begin: (seed: number) => Playable): Promise<string> {
  const found: string[] = [];
  const playOne = async (seed: number): Promise<void> => {
    const history = begin(seed);
    await history.play();
    const { faults, log } = history;
    if (faults.length > 0) found.push(`history ${seed}: ${faults.join('\n  ')}\n    ${log.join('\n    ')}`);
  };
  for (let seed = FIRST; seed < FIRST + COUNT && found.length < 3; seed += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, more) => playOne(seed + more)));
  return found.join('\n');
}

test.each<[string, (seed: number) => Playable]>([
  ['programs of several resources, judged by what the service received', (seed) => new History(seed)],
  ['edits, people, faults and kills around the rows of one list', (seed) => new RowHistory(seed)],
])(
  `${COUNT} histories of %s break no rule`,
  async (_what, begin) => {
    expect(await broken(begin)).toBe('');
  },
  TIMEOUT_MS,
);
