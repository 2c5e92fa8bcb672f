import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { checkControlAccess, isLocal } from './guard.js';

function from(remoteAddress: string): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress });
  return new IncomingMessage(socket);
}

test.each(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'])(
  '%s is an address of this machine',
  (address) => {
    expect(isLocal(from(address))).toBe(true);
    expect(() => {
      checkControlAccess(from(address), undefined);
    }).not.toThrow();
  },
);

test.each(['192.0.2.1', '::ffff:192.0.2.1', '2001:db8::1', '', '1.127.0.1'])(
  '%j is not an address of this machine',
  (address) => {
    expect(isLocal(from(address))).toBe(false);
    expect(() => {
      checkControlAccess(from(address), undefined);
    }).toThrow(/--control-key/);
  },
);
