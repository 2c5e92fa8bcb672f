import { SandboxError } from '../sandbox-error.js';

/** What can be wrong with an idempotency key. */
type KeyFault = 'inProgress' | 'otherPayload' | 'used';

/** Status, code or title, and message. */
type Words = readonly [status: number, code: string | undefined, message: string];

/** The refusals that a service documents, and the form of their bodies. */
interface Service extends Partial<Readonly<Record<KeyFault, Words>>> {
  form(...words: Words): object;
}

const ALREADY: Words[2] = 'request already processed or in progress';

const SERVICES = {
  plain: { form: () => ({}) },
  stripe: {
    form: (_, code, message) => ({ error: { type: 'idempotency_error', code, message } }),
    inProgress: [
      409,
      'idempotency_key_in_use',
      'There is currently another in-progress request using this Idempotent Key.',
    ],
    otherPayload: [
      400,
      undefined,
      'Keys for idempotent requests can only be used with the same parameters they were first used with.',
    ],
  },
  resend: {
    form: (statusCode, name, message) => ({ statusCode, name, message }),
    inProgress: [
      409,
      'concurrent_idempotent_requests',
      'Same idempotency key used while original request is still in progress.',
    ],
    otherPayload: [
      409,
      'invalid_idempotent_request',
      'Same idempotency key used with a different request payload.',
    ],
  },
  square: {
    form: (_, code, detail) => ({ errors: [{ category: 'INVALID_REQUEST_ERROR', code, detail }] }),
    otherPayload: [
      400,
      'IDEMPOTENCY_KEY_REUSED',
      'The idempotency key can only be retried with the same request data.',
    ],
  },
  ietf: {
    form: (_, title, detail) => ({ type: 'https://developer.example.com/idempotency', title, detail }),
    inProgress: [
      409,
      'A request is outstanding for this Idempotency-Key',
      'A request with the same Idempotency-Key for the same operation is being processed or is outstanding.',
    ],
    otherPayload: [
      422,
      'Idempotency-Key is already used',
      'This operation is idempotent and it requires correct usage of Idempotency Key. Idempotency Key MUST not be reused across different payloads of this operation.',
    ],
  },
  adyen: {
    form: (status, errorCode, message) => ({ status, errorCode, message, errorType: 'validation' }),
    inProgress: [409, '704', ALREADY],
    used: [422, '704', ALREADY],
  },
} satisfies Readonly<Record<string, Service>>;

const PLAIN: Readonly<Record<KeyFault, string>> = {
  inProgress: 'belongs to a request that is still in progress; wait for its response.',
  otherPayload: 'was used for another request with a different body; use a new key.',
  used: 'was used before; use a new key.',
};

/** Names of the services whose words can be used, and `plain` for the sandbox's own. */
export const KEY_ERRORS = [
  'plain',
  'stripe',
  'resend',
  'square',
  'ietf',
  'adyen',
] as const satisfies readonly (keyof typeof SERVICES)[];

/** The refusal of an idempotency key, in the words of a service; in plain ones where it documents none. */
export function keyError(name: (typeof KEY_ERRORS)[number], fault: KeyFault, key: string): SandboxError {
  const service: Service = SERVICES[name];
  const words = service[fault];
  const message = `The idempotency key '${key}' ${PLAIN[fault]}`;
  if (words === undefined) return new SandboxError(message, 409);
  return new SandboxError(message, words[0], {}, service.form(...words));
}
