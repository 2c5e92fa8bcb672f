import fc from 'fast-check';
import { createRedactor } from './redact.js';

describe('createRedactor', () => {
  test('replaces every form of a secret', () => {
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
  ])('%j becomes %j', (secret, text) => {
    expect(createRedactor([secret])(`x ${text} y`)).toBe('x [redacted] y');
  });

  test.each(['ke~?~?y', 'k~>~>ey', 'key>>??'])('%s in base64url is redacted', (secret) => {
    for (const encoding of ['base64', 'base64url'] as const) {
      const text = Buffer.from(secret).toString(encoding);
      expect(createRedactor([secret])(`x ${text} y`)).toBe('x [redacted] y');
    }
  });

  test('inside longer base64, exactly the digits of the secret are redacted', () => {
    const redact = createRedactor(['123456']);
    // Of the digit that is shared with a neighbour nothing can be told.
    expect(redact(Buffer.from('...123456...').toString('base64'))).toBe('Li4u[redacted]Li4u');
    expect(redact(Buffer.from('.123456..').toString('base64'))).toBe('Lj[redacted]i4u');
    expect(redact(Buffer.from('..123456.').toString('base64'))).toBe('Li4[redacted]Yu');
  });

  test('the base64 form of a short secret is not searched', () => {
    expect(createRedactor(['12345'])(Buffer.from('12345').toString('base64'))).toBe('MTIzNDU=');
    expect(createRedactor(['123456'])(Buffer.from('123456').toString('base64'))).toBe('[redacted]');
  });

  test('a secret is found at any position inside longer base64', () => {
    const secret = 'key-that-nobody-may-see';
    for (const before of ['Bearer ', 'a:', 'ab:', '']) {
      const text = Buffer.from(`${before}${secret} and more`).toString('base64');
      const seen = Buffer.from(createRedactor([secret])(text).replace('[redacted]', ''), 'base64').toString();
      expect(seen).not.toContain(secret.slice(2, -2));
      expect(createRedactor([secret])(text)).toContain('[redacted]');
    }
  });

  test('every text is searched quickly', () => {
    const redact = createRedactor(['key-that-nobody-may-see']);
    for (const text of ['\\', '%25', '&amp;', 'k', 'ke\\']) {
      const from = performance.now();
      redact(text.repeat(10_000 / text.length));
      expect(performance.now() - from).toBeLessThan(2_000);
    }
  });

  test('does not change other text', () => {
    expect(createRedactor(['secret'])('nothing to hide')).toBe('nothing to hide');
    expect(createRedactor([])('nothing to hide')).toBe('nothing to hide');
    expect(createRedactor([''])('nothing to hide')).toBe('nothing to hide');
  });

  test('a secret that contains another one is redacted as a whole', () => {
    expect(createRedactor(['abc', 'abcdef'])('x abcdef y')).toBe('x [redacted] y');
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
