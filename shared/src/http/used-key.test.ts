import { createTestRuntime } from '../../testing/test-runtime.js';
import { AudienceError } from '../errors.js';
import { AudienceApi, TransportFailure, type CallOptions, type TransportResponse } from '../internal.js';

/** Refusals of a call with an idempotency key, as services write them. What they say must change nothing. */
const REFUSALS = `
Loops, key used | 409 | {"success":false,"message":"Idempotency key has been used in the last 24 hours."}
Loops, empty | 409 | {"success":false}
Loops, contact | 409 | {"success":false,"message":"Email or userId is already on list."}
Loops, bad design | 404 | {"success":false,"path":"transactionalId","message":"Transactional email not found"}
Loops, body | 400 | {"success":false,"message":"An email is required."}
Stripe, in use | 409 | {"error":{"type":"idempotency_error","code":"idempotency_key_in_use"}}
Stripe, other parameters | 400 | {"error":{"type":"idempotency_error","message":"Keys for idempotent requests can only be used with the same parameters they were first used with."}}
Stripe, lock | 429 | {"error":{"code":"lock_timeout"}}
Stripe, card | 402 | {"error":{"type":"card_error","code":"card_declined"}}
Resend, other payload | 409 | {"name":"invalid_idempotent_request","message":"Same idempotency key used with a different request payload."}
Resend, concurrent | 409 | {"name":"concurrent_idempotent_requests","message":"Same idempotency key used while original request is still in progress."}
Resend, key | 400 | {"name":"invalid_idempotency_key"}
Resend, quota | 429 | {"name":"daily_quota_exceeded"}
Resend, validation | 422 | {"name":"validation_error","message":"Invalid \`to\` field."}
IETF, in progress | 409 | {"title":"A request is outstanding for this Idempotency-Key"}
IETF, reused | 422 | {"title":"Idempotency-Key is already used"}
IETF, missing | 400 | {"title":"Idempotency-Key is missing"}
Intercom, contact | 409 | {"type":"error.list","request_id":"b6","errors":[{"code":"conflict","message":"A contact matching those details already exists with id=5d"}]}
Intercom, unauthorised | 401 | {"type":"error.list","errors":[{"code":"unauthorized"}]}
HubSpot, contact | 409 | {"status":"error","message":"Contact already exists. Existing ID: 51","category":"CONFLICT"}
HubSpot, property | 400 | {"status":"error","message":"Property \\"plan\\" does not exist","category":"VALIDATION_ERROR"}
HubSpot, rate | 429 | {"status":"error","policyName":"TEN_SECONDLY_ROLLING"}
PostgREST, unique | 409 | {"code":"23505","message":"duplicate key value violates unique constraint \\"requests_key\\"","details":"Key (key)=(a) already exists."}
PostgREST, foreign key | 409 | {"code":"23503","message":"insert violates foreign key constraint"}
MongoDB | 409 | {"message":"E11000 duplicate key error collection: app.requests index: key_1 dup key"}
MySQL | 409 | {"message":"Duplicate entry 'a' for key 'requests.PRIMARY'"}
Prisma | 409 | {"code":"P2002","message":"Unique constraint failed on the fields: (\`idempotencyKey\`)"}
Cloudflare, 403 | 403 | <!DOCTYPE html><title>Attention Required! | Cloudflare</title>
Cloudflare, 429 | 429 | error code: 1015
AWS, idempotency | 400 | {"__type":"IdempotentParameterMismatchException"}
AWS, conflict | 409 | {"message":"ConflictException: The request is already being processed"}
AWS, waf | 403 | {"message":"Forbidden"}
AWS Powertools | 409 | {"message":"Execution already in progress with idempotency key"}
Square | 400 | {"errors":[{"code":"IDEMPOTENCY_KEY_REUSED"}]}
Adyen | 422 | {"errorCode":"704","message":"request already processed or in progress"}
PayPal | 422 | {"name":"UNPROCESSABLE_ENTITY","details":[{"issue":"DUPLICATE_INVOICE_ID"}]}
PayPal, used | 400 | {"message":"PayPal-Request-Id has already been used"}
BlueSnap | 400 | {"message":[{"description":"The idempotency key was used for a different request"}]}
Gravity | 409 | {"message":"Idempotency key already exists"}
SparkPost, 1600 | 422 | {"errors":[{"code":"1600","message":"idempotency key reuse with another payload"}]}
SparkPost, 1601 | 409 | {"errors":[{"code":"1601","message":"request in progress"}]}
Emailit, key | 409 | {"error":"Idempotency key already used"}
Emailit, domain | 409 | {"error":"Domain already exists"}
integrated.finance | 400 | {"code":"IDEMPOTENCY_KEY_PAYLOAD_MISMATCH"}
coss | 422 | {"error":"Idempotency-Key was used with a different body"}
autumn | 409 | {"code":"duplicate_idempotency_key","message":"Another request with this key has already been received"}
Overpass | 409 | {"error":"request with this key failed earlier"}
Mailgun | 400 | {"message":"to parameter is not a valid address"}
SendGrid | 413 | {"errors":[{"message":"Payload too large"}]}
Postmark, inactive | 422 | {"ErrorCode":406,"Message":"You tried to send to a recipient that has been marked as inactive."}
Mailchimp | 400 | {"title":"Member Exists","detail":"ada@example.com is already a list member."}
Customer.io | 409 | {"meta":{"errors":["conflict"]}}
Salesforce | 400 | [{"errorCode":"DUPLICATE_VALUE","message":"duplicate value found"}]
Shopify | 422 | {"errors":{"email":["has already been taken"]}}
GitHub | 422 | {"message":"Validation Failed","errors":[{"code":"already_exists"}]}
Django | 409 | {"detail":"Conflict"}
Rails | 409 | {"status":409,"error":"Conflict"}
nginx | 409 | <html><head><title>409 Conflict</title></head></html>
nothing | 409 |
an empty object | 409 | {}
German | 409 | {"meldung":"Dieser Schlüssel wurde bereits verwendet."}
gone | 410 | {"message":"This API version was removed"}
`
  .trim()
  .split('\n')
  .map((line): [service: string, status: number, body: string] => {
    const [service = '', status, ...body] = line.split('|');
    return [service.trim(), Number(status), body.join('|').trim()];
  });

type Before = 'nothing' | 'a lost response' | 'a 5xx';

/** Sends an email: what came before fails once, and after that the service refuses always. */
async function send(
  status: number,
  body: string,
  before: Before,
  usedKeyStatus?: number,
  options?: CallOptions,
) {
  let requests = 0;
  const api = new AudienceApi({
    baseUrl: 'https://api.example.com',
    runtime: createTestRuntime(),
    usedKeyStatus,
    transport: (): Promise<TransportResponse> => {
      requests += 1;
      if (requests === 1 && before === 'a lost response')
        return Promise.reject(new TransportFailure('network', { networkCode: 'ECONNRESET' }));
      const isFault = requests === 1 && before === 'a 5xx';
      return Promise.resolve({ status: isFault ? 500 : status, headers: {}, body: isFault ? '' : body });
    },
  });
  try {
    const { deduplicated } = await api.transactional.send(
      { email: 'ada@example.com', transactionalId: 't' },
      options,
    );
    return deduplicated ? 'deduplicated' : 'sent';
  } catch (error) {
    if (!(error instanceof AudienceError)) throw error;
    return error.unclear ? 'unclear' : 'not sent';
  }
}

test.each(REFUSALS)('%s (%i): words decide nothing', async (_service, status, body) => {
  for (const usedKeyStatus of [undefined, 409, 422]) {
    const isDefined = status === usedKeyStatus;
    expect(await send(status, body, 'nothing', usedKeyStatus)).toBe('not sent');
    for (const before of ['a lost response', 'a 5xx'] as const)
      expect(await send(status, body, before, usedKeyStatus)).toBe(isDefined ? 'deduplicated' : 'unclear');
    // What was carried out with a key of the caller's own is this very email.
    for (const earlierRequest of [undefined, true, false]) {
      const own = { idempotencyKey: 'order-1', earlierRequest };
      const otherwise = earlierRequest === false ? 'not sent' : 'unclear';
      expect(await send(status, body, 'nothing', usedKeyStatus, own)).toBe(
        isDefined ? 'deduplicated' : otherwise,
      );
    }
  }
});

test('there are at least 60 refusals', () => {
  expect(REFUSALS.length).toBeGreaterThanOrEqual(60);
});
