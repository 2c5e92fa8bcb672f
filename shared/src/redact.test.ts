import { createRedactor } from './redact.js';

describe('createRedactor', () => {
  const SECRET = 'k/e"y\\+1-and-more';
  const json = JSON.stringify(SECRET).slice(1, -1);
  test.each([
    ['as it is', SECRET],
    ['as a URL has it', encodeURIComponent(SECRET)],
    ['as JSON has it', json],
    ['as other JSON has it', json.replaceAll('/', String.raw`\/`)],
  ])('replaces a secret %s', (_form, text) => {
    expect(createRedactor([SECRET])(`a ${text} b`)).toBe('a [redacted] b');
  });

  test.each([
    ['a secret of fewer than 8 characters is part of other texts', ['1234567'], '1234567', '1234567'],
    ['one of 8 is not', ['12345678'], '12345678', '[redacted]'],
    ['other text does not change', ['secret-of-all', ''], 'nothing to hide', 'nothing to hide'],
    ['each time', ['abcdefgh'], 'abcdefgh, abcdefgh', '[redacted], [redacted]'],
    ['the longer secret goes first', ['abcdefgh', 'abcdefghijk'], 'x abcdefghijk y', 'x [redacted] y'],
    ['control characters become spaces', [], 'a\u001b[2Jb\nc', 'a [2Jb c'],
  ])('%s', (_what, secrets, text, redacted) => {
    expect(createRedactor(secrets)(text)).toBe(redacted);
  });
});
