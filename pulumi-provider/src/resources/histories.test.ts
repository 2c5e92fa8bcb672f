import { History } from '../../testing/histories.js';

/** How many histories are played; `.ci/run` plays others. */
const COUNT = Number(process.env['HISTORIES'] ?? 3_000);
const FIRST = Number(process.env['FIRST'] ?? 1);

/**
 * What is absent from a program says nothing. Random programs, services, people, faults and kills, judged by what the
 * service received: no request takes anything but what the program of that moment says, no event reaches a contact that
 * exists, is known or has opted out, and after a run without errors the service is what is declared.
 */
test(`${COUNT} histories break no rule`, async () => {
  const broken: string[] = [];
  for (let seed = FIRST; seed < FIRST + COUNT && broken.length < 3; seed += 1) {
    const history = new History(seed);
    await history.play();
    if (history.violations.length > 0)
      broken.push(`history ${seed}: ${history.violations.join('\n  ')}\n    ${history.steps.join('\n    ')}`);
  }
  expect(broken.join('\n')).toBe('');
});
