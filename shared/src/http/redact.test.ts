import fc from 'fast-check';
import { createRedactor } from './redact.js';

describe('createRedactor', () => {
  test('replaces every form in which a secret may come back', () => {
    const secret = 'k/ey"+1';
    const redact = createRedactor([secret]);
    const base64 = Buffer.from(secret).toString('base64');
    const text = [
      secret,
      encodeURIComponent(secret),
      JSON.stringify(secret),
      base64,
      base64.replace(/=+$/, ''),
    ].join(' ; ');
    expect(redact(text)).toBe('[redacted] ; [redacted] ; "[redacted]" ; [redacted] ; [redacted]');
  });

  test('leaves other text alone', () => {
    expect(createRedactor(['secret'])('nothing to hide')).toBe('nothing to hide');
    expect(createRedactor([])('nothing to hide')).toBe('nothing to hide');
    expect(createRedactor([''])('nothing to hide')).toBe('nothing to hide');
  });

  test('the longest secret goes first, so no rest of it stays', () => {
    expect(createRedactor(['abc', 'abcdef'])('x abcdef y')).toBe('x [redacted] y');
  });

  test('no secret survives, wherever it stands', () => {
    const secret = fc.stringMatching(/^[!-~]{8,40}$/);
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), (key, before, after) => {
        expect(createRedactor([key])(before + key + after)).not.toContain(key);
      }),
    );
  });
});
