import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { WeeklyFiles } from '../../../testing/weekly-files.js';

const HISTORIES = 40;

const folder = mkdtempSync(path.join(tmpdir(), 'audience-'));
afterAll(() => rmSync(folder, { recursive: true }));

test(`in ${HISTORIES} histories of weekly files each gets what they want`, async () => {
  const faults: string[] = [];
  let events = 0;
  for (let seed = 1; seed <= HISTORIES; seed += 1) {
    const history = new WeeklyFiles(seed, path.join(folder, 'people.csv'));
    await history.play();
    faults.push(...history.faults.map((fault) => `history ${seed}: ${fault}`));
    events += history.events;
  }
  expect(faults).toEqual([]);
  expect(events).toBeGreaterThan(HISTORIES);
});
