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
    const error = new NetworkError('no', { ...facts, networkCode: 'ECONNRESET' });
    const work = (number: number) => Promise.resolve({ number, ...(number === 7 ? { error } : {}) });
    const { results, stopped } = await workOn(numbers, work, { reporter });
    expect(stopped).toBeUndefined();
    expect(results.map((result) => result?.number)).toEqual(numbers);
  });

  it('stop where the API key is refused, or the service fails again and again: the rest has no result', async () => {
    for (const error of [new AuthenticationError('no', facts), new NetworkError('no', facts)]) {
      const { results, stopped } = await workOn(numbers, () => Promise.resolve({ error }), { reporter });
      expect(stopped?.code).toBe('service.failed');
      expect(results.filter((result) => result !== undefined).length).toBeLessThan(100);
    }
  });

  it('stop when the run is cancelled', async () => {
    const ending = new AbortController();
    const work = (number: number) => {
      if (number === 70) ending.abort();
      return Promise.resolve({});
    };
    const { results, stopped } = await workOn(numbers, work, { reporter, cancelled: ending.signal });
    expect(stopped?.facts).toEqual({ cause: { error: 'aborted' } });
    expect(results.at(-1)).toBeUndefined();
  });

  it('end in a fault of ours as such', async () => {
    const fault = new TypeError('oops');
    await expect(workOn(numbers, () => Promise.reject(fault), { reporter })).rejects.toBe(fault);
  });
});
