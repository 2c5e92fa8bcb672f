import { createHash } from 'node:crypto';
import {
  canonicalJson,
  IDEMPOTENCY_KEY_LIFETIME_MS,
  idempotencyKeySchema,
  type Endpoint,
  type Schema,
} from 'audience-core/internal';
import * as z from 'zod/mini';
import type { Account } from '../account/account.js';
import type { KeyRecord } from '../account/records.js';
import type { Profile } from '../profile.js';
import type { Sandbox } from '../sandbox.js';
import { readAs } from '../read-as.js';
import { SandboxError } from '../sandbox-error.js';

/** A request as it came over the wire, routed but not yet read. */
export interface RawRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly idempotencyKey: string | undefined;
  /** URL under which the caller sees the service, without a slash at the end. */
  readonly baseUrl: string;
}

/** A request whose shape is right. */
export interface ReadRequest<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly idempotencyKey: string | null;
  readonly baseUrl: string;
  readonly profile: Profile;
}

/** A call with the right shape and a free key: it can be applied, once. */
export interface PreparedCall {
  /** Applies it. @throws SandboxError when a rule of the account forbids it; then nothing has changed. */
  run(): unknown;
  /** Notes that the call failed: with some profiles, its idempotency key is used all the same. */
  fail(failure: Failure): void;
  /** Frees the idempotency key of a call that was never applied. */
  release(): void;
}

/** A response that is already known, because the call was made before with the same key. */
export type ReplayedCall = Pick<KeyRecord, 'response' | 'failure'>;

type Failure = NonNullable<KeyRecord['failure']>;

/** One endpoint of the contract with what the sandbox does for it. */
export interface Operation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  /** Whether a request has a JSON body. */
  readonly hasBody: boolean;
  /** Reads a request and reserves its idempotency key. @throws SandboxError 400 or 409. */
  prepare(
    sandbox: Pick<Sandbox, 'account' | 'profile'>,
    busyKeys: Set<string>,
    request: RawRequest,
  ): PreparedCall | ReplayedCall;
}

/** Response of a call that only says that it worked; one for all, as used keys keep theirs. */
export const DONE = { success: true };

/** Binds an endpoint of the contract to what the sandbox does for it. */
export function operation<
  Params extends z.ZodMiniType,
  Query extends z.ZodMiniType,
  Body extends z.ZodMiniType,
  Response extends z.ZodMiniType,
>(
  endpoint: Endpoint<Response, Params, Query, Body>,
  handle: (
    account: Account,
    request: ReadRequest<z.output<Params>, z.output<Query>, z.output<Body>>,
  ) => z.input<Response>,
): Operation {
  return {
    operationId: endpoint.operationId,
    method: endpoint.method,
    path: endpoint.path,
    hasBody: endpoint.body !== undefined,
    prepare({ account, profile }, busyKeys, raw) {
      const request = shaped(endpoint, raw, profile);
      const key = request.idempotencyKey;
      const run = () => handle(account, request);
      if (key === null) return { run, fail: () => undefined, release: () => undefined };

      const id = `${endpoint.operationId} ${key}`;
      // Of this account: a call that outlived a reset holds nothing of the next one.
      const busyId = `${account.resets} ${id}`;
      // The same for any order of its fields.
      const fingerprint = createHash('sha256').update(canonicalJson(raw.body)).digest('base64url');
      if (busyKeys.has(busyId)) throw new SandboxError({ code: 'key_in_use', key }, 409);
      const used = account.keys.get(id);
      if (used !== undefined && !account.isForgotten(used)) return replayed(used, key, fingerprint, profile);
      busyKeys.add(busyId);
      const lifetime =
        endpoint.operationId === 'sendEvent' ? profile.eventKeyLifetimeMs : IDEMPOTENCY_KEY_LIFETIME_MS;
      return {
        run() {
          const response = run();
          account.useKey({ id, fingerprint, response }, lifetime);
          return response;
        },
        fail(failure) {
          const { keptKeys } = profile;
          if (keptKeys === 'all' || (keptKeys === '5xx' && failure.status >= 500))
            account.useKey({ id, fingerprint, response: null, failure }, lifetime);
        },
        release: () => {
          busyKeys.delete(busyId);
        },
      };
    },
  };
}

/** What a service responds to a key that was used. @throws SandboxError when that is a refusal */
function replayed(
  used: KeyRecord,
  key: string,
  fingerprint: string,
  { duplicates, usedKeyStatus, otherPayload }: Profile,
): ReplayedCall {
  if (duplicates === 'refuse') throw new SandboxError({ code: 'key_used', key }, usedKeyStatus);
  if (used.fingerprint === fingerprint || otherPayload === 'replay') return used;
  throw new SandboxError({ code: 'key_used_otherwise', key }, otherPayload);
}

/** Stands for a part of a request that the endpoint does not declare: its type allows no use. */
export const UNDECLARED = z.custom<never>();

/** A request read with the schemas of its endpoint. */
function shaped<Params extends z.ZodMiniType, Query extends z.ZodMiniType, Body extends z.ZodMiniType>(
  endpoint: Endpoint<z.ZodMiniType, Params, Query, Body>,
  raw: RawRequest,
  profile: Profile,
): ReadRequest<z.output<Params>, z.output<Query>, z.output<Body>> {
  const params = readAs(endpoint.params ?? UNDECLARED, raw.params);
  if (endpoint.query === undefined) refuseQuery(raw.query);
  const query = readAs(
    endpoint.query ?? UNDECLARED,
    endpoint.query && withNumbers(endpoint.query, raw.query),
  );
  const idempotencyKey = readKey(endpoint.isKeyed === true ? raw.idempotencyKey : undefined);
  return {
    params,
    query,
    body: readAs(endpoint.body ?? UNDECLARED, raw.body),
    idempotencyKey,
    baseUrl: raw.baseUrl,
    profile,
  };
}

const headersSchema = z.object({ 'Idempotency-Key': idempotencyKeySchema });

function readKey(key: string | undefined): string | null {
  if (key === undefined) return null;
  return readAs(headersSchema, { 'Idempotency-Key': key })['Idempotency-Key'];
}

function refuseQuery(query: Readonly<Record<string, unknown>>): void {
  const [name] = Object.keys(query);
  if (name !== undefined) throw new SandboxError({ code: 'unknown_query', name });
}

/** A query holds text only: what a schema wants as a number is read as one where it looks like a whole number. */
export function withNumbers(
  schema: Schema<unknown>,
  query: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const parsed = schema.safeParse(query);
  const wanted = parsed.success
    ? []
    : parsed.error.issues.flatMap((issue) =>
        issue.code === 'invalid_type' && ['number', 'int'].includes(issue.expected) ? [issue.path[0]] : [],
      );
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [
      name,
      wanted.includes(name) && typeof value === 'string' && /^-?\d{1,15}$/.test(value)
        ? Number(value)
        : value,
    ]),
  );
}
