import { AuthenticationError, NetworkError } from 'audience-core';
import { workOn } from './work.js';

const reporter = { info: () => undefined, warn: () => undefined };
const facts = {
  method: 'PUT',
  path: '/v1/contacts/a',
  attempts: 1,
  totalRetryDelayMs: 0,
  unclear: false,
} as const;
const numbers = Array.from({ length: 200 }, (_, index) => index);

describe('many rows', () => {
  it('go on beside one that fails', async () => {
    const error = new NetworkError('no', 'connectionFailed', { ...facts, networkCode: 'ECONNRESET' });
    const done: number[] = [];
    const work = (number: number) => Promise.resolve(done.push(number) === 8 ? error : undefined);
    expect(await workOn(numbers, work, { reporter })).toBeUndefined();
    expect(done).toEqual(numbers);
  });

  it('stop where the API key is refused, or the service fails again and again: the rest is not begun', async () => {
    for (const error of [
      new AuthenticationError('no', 'keyRefused', facts),
      new NetworkError('no', 'connectionFailed', facts),
    ]) {
      const work = jest.fn(() => Promise.resolve(error));
      expect((await workOn(numbers, work, { reporter }))?.code).toBe('service.failed');
      expect(work.mock.calls.length).toBeLessThan(100);
    }
  });

  it('stop when the run is cancelled', async () => {
    const ending = new AbortController();
    const work = jest.fn((number: number) => {
      if (number === 70) ending.abort();
      return Promise.resolve(undefined);
    });
    const stopped = await workOn(numbers, work, { reporter, cancelled: ending.signal });
    expect(stopped?.facts).toEqual({ cause: { error: 'AbortedError' } });
    expect(work.mock.calls.length).toBeLessThan(numbers.length);
  });

  it('end in a fault of ours as such', async () => {
    const fault = new TypeError('oops');
    await expect(workOn(numbers, () => Promise.reject(fault), { reporter })).rejects.toBe(fault);
  });
});
