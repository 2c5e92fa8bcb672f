import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { WeeklyFiles } from '../../../testing/weekly-files.js';

const HISTORIES = 40;
/** Files are read without the processor. */
const AT_ONCE = 4;

const folder = mkdtempSync(path.join(tmpdir(), 'audience-'));
afterAll(() => rmSync(folder, { recursive: true }));

test(`in ${HISTORIES} histories of weekly files each gets what they want`, async () => {
  const faults: string[] = [];
  let events = 0;
  const play = async (seed: number): Promise<void> => {
    const history = new WeeklyFiles(seed, path.join(folder, `people-${seed}.csv`));
    await history.play();
    faults.push(...history.faults.map((fault) => `history ${seed}: ${fault}`));
    events += history.events;
  };
  for (let seed = 1; seed <= HISTORIES; seed += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, more) => play(seed + more)));
  expect(faults).toEqual([]);
  expect(events).toBeGreaterThan(HISTORIES);
});
