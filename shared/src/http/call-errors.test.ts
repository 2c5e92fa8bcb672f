import fc from 'fast-check';
import { createRedactor } from './call-errors.js';

describe('createRedactor', () => {
  test('replaces a secret and its URL-encoded form', () => {
    const secret = 'k/ey"+1-long';
    expect(createRedactor([secret])(`${secret} ; ${encodeURIComponent(secret)}`)).toBe(
      '[redacted] ; [redacted]',
    );
  });

  test('replaces a secret as JSON has it', () => {
    const secret = 'k/e"y\\-and-more';
    const json = JSON.stringify({ secret });
    for (const text of [json, json.replaceAll('/', String.raw`\/`)])
      expect(createRedactor([secret])(text)).toBe('{"secret":"[redacted]"}');
  });

  test('a secret of fewer than 8 characters is part of other texts, and stays', () => {
    expect(createRedactor(['test'])('test@example.com')).toBe('test@example.com');
    expect(createRedactor(['1234567'])('1234567')).toBe('1234567');
    expect(createRedactor(['12345678'])('12345678')).toBe('[redacted]');
  });

  test('does not change other text', () => {
    for (const secrets of [['secret-of-all'], [], ['']])
      expect(createRedactor(secrets)('nothing to hide')).toBe('nothing to hide');
  });

  test('a secret that contains another one is redacted as a whole', () => {
    expect(createRedactor(['abcdefgh', 'abcdefghijk'])('x abcdefghijk y')).toBe('x [redacted] y');
  });

  test('control characters become spaces', () => {
    expect(createRedactor([])('a\u001b[2Jb\nc')).toBe('a [2Jb c');
  });

  test('no secret remains at any position', () => {
    const secret = fc.stringMatching(/^[!-~]{8,40}$/);
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), (key, before, after) => {
        expect(createRedactor([key])(before + key + after)).not.toContain(key);
      }),
    );
  });
});
