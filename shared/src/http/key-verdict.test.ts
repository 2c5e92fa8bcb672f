import { keyVerdict } from './key-verdict.js';
import type { KeyVerdict } from './key-verdict.js';

/** Texts of real services where one is named. */
const REFUSALS: readonly [KeyVerdict, number, string][] = [
  // Stripe
  [
    'in-progress',
    409,
    '{"error":{"code":"idempotency_key_in_use","message":"There is currently another in-progress request using this Stripe Idempotent Key"}}',
  ],
  ['in-progress', 409, '{"error":{"code":"idempotency_key_in_use"}}'],
  [
    'another-payload',
    400,
    '{"error":{"type":"idempotency_error","message":"Keys for idempotent requests can only be used with the same parameters they were first used with."}}',
  ],
  // Resend
  [
    'in-progress',
    409,
    '{"name":"concurrent_idempotent_requests","message":"Another request with the same idempotency key is currently in progress"}',
  ],
  [
    'another-payload',
    409,
    '{"name":"invalid_idempotent_request","message":"This idempotency key has already been used on a request that had a different payload"}',
  ],
  ['other', 400, '{"name":"invalid_idempotency_key","message":"The key must be between 1-256 chars"}'],
  // Square
  [
    'another-payload',
    400,
    '{"errors":[{"code":"IDEMPOTENCY_KEY_REUSED","detail":"Different request parameters used for the same idempotency_key"}]}',
  ],
  // Adyen says one thing for both
  ['in-progress', 422, '{"errorCode":"704","message":"request already processed or in progress"}'],
  // PayPal
  [
    'in-progress',
    409,
    '{"issue":"PREVIOUS_REQUEST_IN_PROGRESS","description":"A previous request on this resource is currently in progress."}',
  ],
  ['used', 422, '{"issue":"DUPLICATE_REQUEST_ID","description":"The request id has already been used."}'],
  // BlueSnap
  [
    'another-payload',
    422,
    '{"code":"SAME_IDEMPOTENCY_KEY_WAS_ALREADY_IN_USE_WITH_PREVIOUS_DIFFERENT_REQUEST"}',
  ],
  ['in-progress', 409, '{"code":"REQUEST_WITH_SAME_IDEMPOTENCY_KEY_ALREADY_IN_PROGRESS"}'],
  // Gravity Payments
  [
    'another-payload',
    409,
    'A transaction with the supplied idempotency-key already exists with a conflicting payload',
  ],
  ['in-progress', 409, 'A transaction with the supplied idempotency-key is already in progress'],
  // IETF draft of the Idempotency-Key header
  ['in-progress', 409, '{"title":"A request is outstanding for this Idempotency-Key"}'],
  [
    'another-payload',
    422,
    '{"title":"Idempotency-Key is already used","detail":"It MUST not be reused across different payloads of this operation"}',
  ],
  ['other', 400, '{"title":"Idempotency-Key is missing"}'],
  // In other words
  ['used', 409, ''],
  ['used', 409, ' \n'],
  ['used', 409, '{}'],
  ['used', 409, ' { "success" : false }\n'],
  ['used', 409, '{"success":false,"message":"Idempotency key already used"}'],
  ['used', 409, '{"error":{"message":"Duplicate request"}}'],
  ['used', 409, 'The key of the caller was used'],
  ['in-progress', 409, '{"message":"This request is already in progress"}'],
  ['other', 409, '{"message":"The request with this idempotency key failed"}'],
  ['other', 409, '{"message":"The request could not be processed"}'],
  ['other', 409, '{"success":true}'],
  ['other', 409, '{"id":7}'],
  ['other', 409, '{"message":"A contact with this email exists already"}'],
  ['other', 409, '{"message":"We got your request. The address was used"}'],
  ['other', 400, ''],
  ['other', 422, '{"message":"The request could not be processed"}'],
  ['other', 422, '{"message":"An import is in progress"}'],
  ['other', 404, '{"message":"idempotency key already used"}'],
];

test.each(REFUSALS)('%s: status %d with %s', (verdict, status, body) => {
  expect(keyVerdict(status, body)).toBe(verdict);
});
