import { ValidationError } from '../errors.js';
import { normalizeBaseUrl } from './base-url.js';

test.each([
  ['https://api.example.com/', 'https://api.example.com'],
  [' https://api.example.com:8443/mail// ', 'https://api.example.com:8443/mail'],
  ['http://localhost:4010', 'http://localhost:4010'],
  ['http://audience.localhost', 'http://audience.localhost'],
  ['http://127.1.2.3:1/x', 'http://127.1.2.3:1/x'],
  ['http://[::1]:4010/', 'http://[::1]:4010'],
  ['https://example.com/mail/v1/', 'https://example.com/mail'],
])('the base URL %s is accepted', (given, expected) => {
  expect(normalizeBaseUrl(given)).toBe(expected);
});

test.each([
  ['  ', 'notUrl'],
  ['api.example.com', 'notUrl'],
  ['ftp://example.com', 'notUrl'],
  ['https://me@example.com', 'notUrl'],
  ['https://:secret@example.com', 'notUrl'],
  ['https://example.com/?a=1', 'notUrl'],
  ['https://example.com/#top', 'notUrl'],
  ['http://example.com', 'unencrypted'],
  ['http://localhost.example.com', 'unencrypted'],
  ['http://127.example.com', 'unencrypted'],
  ['http://x127.0.0.1.example.com', 'unencrypted'],
])('the base URL %j is refused: %s', (given, code) => {
  let thrown: unknown;
  try {
    normalizeBaseUrl(given);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(ValidationError);
  expect(thrown).toMatchObject({ issues: [{ path: ['baseUrl'], code }] });
  expect(String(thrown)).not.toContain('secret');
});

test('plain http to another machine needs allowInsecure', () => {
  expect(normalizeBaseUrl('http://mail.internal:8080', true)).toBe('http://mail.internal:8080');
});
