/** @jest-environment ./test/integration/core/browser-like.js */
import { AudienceClient, ValidationError } from 'audience-core';
import { AudienceClient as FetchClient } from 'audience-core/fetch';

const options = { baseUrl: 'https://api.example.com', apiKey: 'key-0123456789' };

test.each<[string, () => object, string]>([
  ['axios is its build for browsers', () => new AudienceClient(options), 'noNode'],
  ['there is no fetch', () => new FetchClient(options), 'noFetch'],
])('where %s, a new client says which test environment it needs', (_where, make, code) => {
  let codes: unknown;
  try {
    make();
  } catch (error) {
    codes = ValidationError.is(error) && error instanceof Error && Reflect.get(error, 'issues');
  }
  expect(codes).toMatchObject([{ code }]);
});
