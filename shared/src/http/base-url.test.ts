import { ValidationError } from '../errors.js';
import { normalizeBaseUrl } from './base-url.js';

describe('normalizeBaseUrl', () => {
  test.each([
    ['https://api.example.com', 'https://api.example.com'],
    ['https://api.example.com/', 'https://api.example.com'],
    [' https://api.example.com:8443/mail// ', 'https://api.example.com:8443/mail'],
    ['http://localhost:4010', 'http://localhost:4010'],
    ['http://audience.localhost', 'http://audience.localhost'],
    ['http://127.1.2.3:1/x', 'http://127.1.2.3:1/x'],
    ['http://[::1]:4010/', 'http://[::1]:4010'],
    ['https://example.com/v1', 'https://example.com'],
    ['https://example.com/mail/v1/', 'https://example.com/mail'],
  ])('accepts %s', (given, expected) => {
    expect(normalizeBaseUrl(given)).toBe(expected);
  });

  test.each([
    ['', 'is missing'],
    ['  ', 'is missing'],
    ['api.example.com', 'is not a URL'],
    ['ftp://example.com', 'must begin with https://'],
    ['https://me:secret@example.com', 'must not hold a user name or password'],
    ['https://me@example.com', 'must not hold a user name or password'],
    ['https://:secret@example.com', 'must not hold a user name or password'],
    ['https://example.com/?a=1', "must end before any '?' or '#'"],
    ['https://example.com/#top', "must end before any '?' or '#'"],
    ['http://example.com', 'sends the API key unencrypted to example.com'],
    ['http://localhost.example.com', 'must begin with https://'],
    ['http://127.example.com', 'must begin with https://'],
    ['http://x127.0.0.1.example.com', 'must begin with https://'],
  ])('refuses %j and says why', (given, why) => {
    const attempt = () => normalizeBaseUrl(given);
    expect(attempt).toThrow(ValidationError);
    expect(attempt).toThrow(why);
    expect(attempt).not.toThrow('secret');
  });

  test('accepts plain http to another machine with allowInsecure', () => {
    expect(normalizeBaseUrl('http://mail.internal:8080', true)).toBe('http://mail.internal:8080');
  });
});
