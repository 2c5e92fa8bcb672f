import { Problem } from './problem.js';

/** What can be wrong with an idempotency key. */
type KeyFault = 'inProgress' | 'otherPayload' | 'used';

interface Response {
  readonly status: number;
  readonly body: object;
}

const PLAIN: Readonly<Record<KeyFault, string>> = {
  inProgress: 'belongs to a request that is still in progress; wait for its response.',
  otherPayload: 'was used for another request with a different body; use a new key.',
  used: 'was used before; use a new key.',
};

const resend = (name: string, message: string): Response => ({
  status: 409,
  body: { statusCode: 409, name, message },
});
const ietf = (status: number, title: string, detail: string): Response => ({
  status,
  body: { type: 'https://developer.example.com/idempotency', title, detail },
});
const adyen = (status: number): Response => ({
  status,
  body: {
    status,
    errorCode: '704',
    message: 'request already processed or in progress',
    errorType: 'validation',
  },
});

/** The responses of known services, and of the IETF draft of the Idempotency-Key header, as their documents show them. */
const KNOWN = {
  stripe: {
    inProgress: {
      status: 409,
      body: {
        error: {
          code: 'idempotency_key_in_use',
          message:
            'There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through). Please try again later.',
          type: 'invalid_request_error',
        },
      },
    },
    otherPayload: {
      status: 400,
      body: {
        error: {
          message:
            'Keys for idempotent requests can only be used with the same parameters they were first used with.',
          type: 'idempotency_error',
        },
      },
    },
  },
  resend: {
    inProgress: resend(
      'concurrent_idempotent_requests',
      'Same idempotency key used while original request is still in progress.',
    ),
    otherPayload: resend(
      'invalid_idempotent_request',
      'Same idempotency key used with a different request payload.',
    ),
  },
  square: {
    otherPayload: {
      status: 400,
      body: {
        errors: [
          {
            category: 'INVALID_REQUEST_ERROR',
            code: 'IDEMPOTENCY_KEY_REUSED',
            detail: 'The idempotency key can only be retried with the same request data.',
            field: 'idempotency_key',
          },
        ],
      },
    },
  },
  ietf: {
    inProgress: ietf(
      409,
      'A request is outstanding for this Idempotency-Key',
      'A request with the same Idempotency-Key for the same operation is being processed or is outstanding.',
    ),
    otherPayload: ietf(
      422,
      'Idempotency-Key is already used',
      'This operation is idempotent and it requires correct usage of Idempotency Key. Idempotency Key MUST not be reused across different payloads of this operation.',
    ),
  },
  adyen: { inProgress: adyen(409), used: adyen(422) },
} as const;

/** Names of the services whose words can be used, and `plain` for the sandbox's own. */
export const KEY_ERRORS = ['plain', 'stripe', 'resend', 'square', 'ietf', 'adyen'] as const;

/** The refusal of an idempotency key, in the words of a service; in its own where the service has none. */
export function keyProblem(service: (typeof KEY_ERRORS)[number], fault: KeyFault, key: string): Problem {
  const known: Partial<Record<KeyFault, Response>> = service === 'plain' ? {} : KNOWN[service];
  const { status, body } = known[fault] ?? { status: 409, body: undefined };
  return new Problem(status, `The idempotency key '${key}' ${PLAIN[fault]}`, {}, body);
}
