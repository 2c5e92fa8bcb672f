import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { checkControlAccess, isLocal } from './guard.js';

test.each([
  ['127.0.0.1', true],
  ['127.9.9.9', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['192.0.2.1', false],
  ['::ffff:192.0.2.1', false],
  ['2001:db8::1', false],
  ['', false],
  ['1.127.0.1', false],
])('%j is an address of this machine: %j', (remoteAddress, expected) => {
  const request = new IncomingMessage(
    Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress }),
  );
  expect(isLocal(request)).toBe(expected);
  const check = expect(() => checkControlAccess(request, undefined));
  if (expected) check.not.toThrow();
  else check.toThrow(/--control-key/);
});
