import { nearest } from './nearest.js';

test.each([
  ['baseURL', ['baseUrl', 'apiKey'], 'baseUrl'],
  ['base_url', ['baseUrl', 'apiKey'], 'baseUrl'],
  ['emial', ['email', 'userId'], 'email'],
  ['idempotencyKeys', ['idempotencyKey', 'ifKeyIsUsed'], 'idempotencyKey'],
  ['to', ['email', 'userId'], undefined],
  ['xy', ['ab', 'userId'], undefined],
  ['nameA', ['nameB', 'nameC'], undefined],
  ['anything', [], undefined],
])('%s among %j gives %s', (unknown, names, meant) => {
  expect(nearest(unknown, names)).toBe(meant);
});
