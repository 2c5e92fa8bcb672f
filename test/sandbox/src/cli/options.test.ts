import { readOptions } from './options.js';

test.each<[args: string[], message: RegExp]>([
  [['--prot', '1'], /^Unknown option '--prot'\.$/],
  [['--duplicates', 'refuse'], /^Unknown option '--duplicates'\.$/],
  [['--seed'], /^Option '--seed <value>' argument missing\.$/],
  [['--port', 'x'], /--port cannot be 'x': it must be a whole number from 0 to 65535\./],
  [['--rate-limit', '0'], /--rate-limit cannot be '0': it must be a number above 0\./],
  [['--host', ''], /--host needs a value/],
  [['--api-key', 'a b'], /--api-key cannot be 'a b': it must be ASCII characters without a space/],
  [['push'], /There is no command 'push'/],
  [['pull', '--from', 'http://localhost:1'], /pull needs --out/],
  [['--out', 'seed.yaml'], /go with the command pull/],
])('refuses %j', (args, message) => {
  expect(() => readOptions(args)).toThrow(message);
});
