import { NetworkError } from 'audience-core';
import { limited, runAll } from './work.js';
import type { Task } from './work.js';
import { ResourceError } from '../errors.js';

const reporter = { info: () => undefined, warn: () => undefined };
const facts = {
  method: 'PUT',
  path: '/v1/contacts/a',
  attempts: 1,
  totalRetryDelayMs: 0,
  unclear: false,
} as const;

/** Tasks that note their number when they are done, and what goes wrong in between. */
function tasks(count: number, done: number[], faults: Readonly<Record<number, Error>> = {}): Task[] {
  return Array.from({ length: count }, (_, index) => ({
    fields: {},
    location: `line ${index}`,
    run: async () => {
      await Promise.resolve();
      const fault = faults[index];
      if (fault !== undefined) throw fault;
      done.push(index);
    },
  }));
}

describe('many tasks', () => {
  it('go on beside one that fails, which is named by its place and in words without a person', async () => {
    const done: number[] = [];
    const fault = new NetworkError("Could not update contact 'ada@example.com'", {
      ...facts,
      networkCode: 'ECONNRESET',
    });
    expect(await runAll(tasks(200, done, { 7: fault }), 200, { reporter })).toEqual({
      succeeded: 199,
      failures: ['line 7: the service cannot be reached (ECONNRESET)'],
    });
    expect(done).toHaveLength(199);
  });

  it('keep what was done where their source ends in an error', async () => {
    const done: number[] = [];
    async function* source(): AsyncGenerator<Task, void> {
      yield* tasks(100, done);
      await Promise.resolve();
      throw new ResourceError("'people.csv' is not a CSV file from line 101 on");
    }
    expect(await runAll(source(), 500, { reporter })).toEqual({
      succeeded: 100,
      failures: ["'people.csv' is not a CSV file from line 101 on"],
    });
    expect(done).toHaveLength(100);
  });

  it('end in an error of our own making as such, when all that had begun are done', async () => {
    const done: number[] = [];
    const fault = new TypeError('oops');
    await expect(runAll(tasks(10, done, { 3: fault }), 10, { reporter })).rejects.toBe(fault);
    expect(done).toHaveLength(9);
  });
});

it('too many sentences are cut, and the rest is counted', () => {
  expect(limited(Array.from({ length: 103 }, (_, index) => `${index}`)).slice(99)).toEqual([
    '99',
    'and 3 more',
  ]);
});
