import { createTestRuntime } from '../../testing/test-runtime.js';
import { AudienceError } from '../errors.js';
import { AudienceApi, TransportFailure, type CallOptions, type TransportResponse } from '../internal.js';

/** Refusals of a call with an idempotency key, as services write them. What they say must change nothing. */
const REFUSALS = `
Loops, key used | 409 | {"success":false,"message":"Idempotency key has been used in the last 24 hours."}
Loops, contact | 409 | {"success":false,"message":"Email or userId is already on list."}
Loops, bad design | 404 | {"success":false,"path":"transactionalId","message":"Transactional email not found"}
Stripe, in use | 409 | {"error":{"type":"idempotency_error","code":"idempotency_key_in_use"}}
Stripe, other parameters | 400 | {"error":{"type":"idempotency_error","message":"Keys for idempotent requests can only be used with the same parameters they were first used with."}}
Stripe, lock | 429 | {"error":{"code":"lock_timeout"}}
Stripe, card | 402 | {"error":{"type":"card_error","code":"card_declined"}}
Resend, validation | 422 | {"name":"validation_error","message":"Invalid \`to\` field."}
IETF, in progress | 409 | {"title":"A request is outstanding for this Idempotency-Key"}
IETF, reused | 422 | {"title":"Idempotency-Key is already used"}
Intercom, contact | 409 | {"type":"error.list","request_id":"b6","errors":[{"code":"conflict","message":"A contact matching those details already exists with id=5d"}]}
Intercom, unauthorised | 401 | {"type":"error.list","errors":[{"code":"unauthorized"}]}
HubSpot, property | 400 | {"status":"error","message":"Property \\"plan\\" does not exist","category":"VALIDATION_ERROR"}
PostgREST, unique | 409 | {"code":"23505","message":"duplicate key value violates unique constraint \\"requests_key\\"","details":"Key (key)=(a) already exists."}
Cloudflare, 403 | 403 | <!DOCTYPE html><title>Attention Required! | Cloudflare</title>
Cloudflare, 429 | 429 | error code: 1015
SendGrid | 413 | {"errors":[{"message":"Payload too large"}]}
nginx | 409 | <html><head><title>409 Conflict</title></head></html>
nothing | 409 |
an empty object | 409 | {}
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
