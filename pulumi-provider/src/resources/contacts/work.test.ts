import { AuthenticationError, InvalidRequestError, NetworkError } from 'audience-core';
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

  it('stop where 25 in a row fail in the same way, whatever that is: the rest is not begun', async () => {
    for (const error of [
      new AuthenticationError('no', 'keyRefused', facts),
      new NetworkError('no', 'connectionFailed', facts),
      new InvalidRequestError('no', 'refused', { ...facts, status: 402 }),
    ]) {
      const work = jest.fn(() => Promise.resolve(error));
      expect((await workOn(numbers, work, { reporter }))?.code).toBe('service.failed');
      expect(work.mock.calls.length).toBeLessThan(100);
    }
  });

  it('go on where failures differ, and where what needs no request is between them', async () => {
    const [refused, failed] = [402, 409].map(
      (status) => new InvalidRequestError('no', 'refused', { ...facts, status }),
    );
    const alternating = jest.fn((number: number) => Promise.resolve(number % 2 === 0 ? refused : failed));
    expect(await workOn(numbers, alternating, { reporter })).toBeUndefined();
    const between = jest.fn((number: number) => Promise.resolve(number % 2 === 0 ? refused : undefined));
    expect((await workOn(numbers, between, { reporter }))?.code).toBe('service.failed');
  });

  it('stop when the run is cancelled', async () => {
    const ending = new AbortController();
    const work = jest.fn((number: number) => {
      if (number === 70) ending.abort();
      return Promise.resolve(undefined);
    });
    const stopped = await workOn(numbers, work, { reporter, cancelled: ending.signal });
    expect(stopped?.code).toBe('run.wasCancelled');
    expect(work.mock.calls.length).toBeLessThan(numbers.length);
  });

  it('end in a fault of ours as such', async () => {
    const fault = new TypeError('oops');
    await expect(workOn(numbers, () => Promise.reject(fault), { reporter })).rejects.toBe(fault);
  });
});
