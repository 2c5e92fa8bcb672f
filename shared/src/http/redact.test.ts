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

  test.each([
    'k\\/ey\\u00221\\u002b',
    'k%252Fey%22%31%2b',
    'k&#47;ey&quot;&#x31;&#x2B;',
    'k&amp;#47;ey"1+',
    '\\\\k\\\\/ey\\\\"1+',
  ])('escaped as %s', (text) => {
    expect(createRedactor(['k/ey"1+'])(text)).toBe('[redacted]');
  });

  test.each([
    ['a&b', 'a&amp;b'],
    ['a<b', 'a&lt;b'],
    ['a>b', 'a&gt;b'],
    ['a"b', 'a&quot;b'],
    ["a'b", 'a&apos;b'],
    ['a\tb', 'a%09b'],
  ])('%j comes back as %j', (secret, text) => {
    expect(createRedactor([secret])(`x ${text} y`)).toBe('x [redacted] y');
  });

  test.each(['ke~?~?y', 'k~>~>ey', 'key>>??'])('%s in base64 as URLs have it', (secret) => {
    for (const encoding of ['base64', 'base64url'] as const) {
      const text = Buffer.from(secret).toString(encoding);
      expect(createRedactor([secret])(`x ${text} y`)).toBe('x [redacted] y');
    }
  });

  test('of a secret that stands inside longer base64, all digits that are its own go, and no others', () => {
    const redact = createRedactor(['123456']);
    // Of the digit that is shared with a neighbour nothing can be told.
    expect(redact(Buffer.from('...123456...').toString('base64'))).toBe('Li4u[redacted]Li4u');
    expect(redact(Buffer.from('.123456..').toString('base64'))).toBe('Lj[redacted]i4u');
    expect(redact(Buffer.from('..123456.').toString('base64'))).toBe('Li4[redacted]Yu');
  });

  test('in base64 a short secret is any text', () => {
    expect(createRedactor(['12345'])(Buffer.from('12345').toString('base64'))).toBe('MTIzNDU=');
    expect(createRedactor(['123456'])(Buffer.from('123456').toString('base64'))).toBe('[redacted]');
  });

  test('inside longer base64, whatever stands before it', () => {
    const secret = 'key-that-nobody-may-see';
    for (const before of ['Bearer ', 'a:', 'ab:', '']) {
      const text = Buffer.from(`${before}${secret} and more`).toString('base64');
      const seen = Buffer.from(createRedactor([secret])(text).replace('[redacted]', ''), 'base64').toString();
      expect(seen).not.toContain(secret.slice(2, -2));
      expect(createRedactor([secret])(text)).toContain('[redacted]');
    }
  });

  test('no text takes long to search', () => {
    const redact = createRedactor(['key-that-nobody-may-see']);
    for (const text of ['\\', '%25', '&amp;', 'k', 'ke\\']) {
      const from = performance.now();
      redact(text.repeat(10_000 / text.length));
      expect(performance.now() - from).toBeLessThan(2_000);
    }
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
