import { contract } from 'audience-core/internal';
import * as z from 'zod/mini';

/** Names of the endpoints that faults can be set on, and `any` for all of them. */
export const ROUTES = ['any', ...Object.values(contract).map((endpoint) => endpoint.operationId)] as const;

const EFFECTS = ['respond', 'cut', 'hang'] as const;

const routeSchema = z.enum(ROUTES);
const whenSchema = z.enum(['before', 'during', 'after']);

const HEADER_NAME = 'must be the name of a header';
const HEADER_VALUE = 'must be a number, or a text that a header can carry';

const respondSchema = z.strictObject({
  status: z.int().check(z.minimum(200), z.maximum(599), z.describe('Status of the response.')),
  headers: z
    .optional(
      z.record(
        z.string().check(z.regex(/^[\w!#$%&'*+.^`|~-]+$/, HEADER_NAME)),
        z.union([z.number(), z.string().check(z.regex(/^[\t\x20-\x7e\x80-\xff]*$/))], HEADER_VALUE),
      ),
    )
    .check(z.describe('Headers of the response, such as Retry-After or Content-Type.')),
  body: z
    .optional(z.unknown())
    .check(z.describe('Body: text as it is, anything else as JSON; an error of the profile unless given.')),
});

/** A fault to set: which calls it hits, what happens to them, and when. */
export const newFaultSchema = z
  .strictObject({
    route: z.optional(routeSchema).check(z.describe('Endpoint by its operationId; any unless given.')),
    address: z
      .optional(z.string().check(z.minLength(1)))
      .check(z.describe('Email address or userId that the call names; capital letters make no difference.')),
    every: z
      .optional(z.int().check(z.minimum(1)))
      .check(z.describe('Hits each nth of these calls, without end; 1 is all of them.')),
    times: z
      .optional(z.int().check(z.minimum(1)))
      .check(z.describe('How many calls are hit; 1 unless given, endless with every.')),
    respond: z.optional(respondSchema).check(z.describe('Responds with this.')),
    cut: z.optional(z.literal(true)).check(z.describe('Cuts the connection.')),
    hang: z.optional(z.literal(true)).check(z.describe('Never responds.')),
    delayMs: z
      .optional(z.int().check(z.minimum(0), z.maximum(600_000)))
      .check(z.describe('How long the call takes, in milliseconds.')),
    when: z
      .optional(whenSchema)
      .check(
        z.describe(
          'When it happens: before the call is carried out, which it then never is (unless given); during, while the call goes on and is carried out later; after it was carried out.',
        ),
      ),
  })
  .check(({ value: fault, issues }) => {
    const refuse = (message: string) => issues.push({ code: 'custom', message, input: fault });
    const effects = EFFECTS.filter((name) => fault[name] !== undefined);
    if (effects.length > 1) refuse(`can have only one of ${effects.join(', ')}`);
    if (effects.length === 0 && fault.delayMs === undefined)
      refuse('must have one of respond, cut, hang or delayMs');
  });

/** A fault to set. */
export type NewFault = z.input<typeof newFaultSchema>;

export const faultSchema = z.object({
  id: z.string(),
  route: routeSchema,
  address: z.nullable(z.string()),
  every: z.int(),
  /** How many calls it will still hit; null without end. */
  remaining: z.nullable(z.int()),
  effect: z.enum([...EFFECTS, 'none']),
  respond: z.nullable(
    z.object({ status: z.int(), headers: z.record(z.string(), z.string()), body: z.optional(z.unknown()) }),
  ),
  delayMs: z.int(),
  when: whenSchema,
  /** How many calls it has looked at, and how many of them it has hit. */
  seen: z.int(),
  hits: z.int(),
});

/** A fault that is set. */
export type Fault = z.infer<typeof faultSchema>;

/** The fault that is set for what was asked. */
export function newFault(id: string, wanted: z.output<typeof newFaultSchema>): Fault {
  const { route = 'any', address = null, every = 1, respond, delayMs = 0, when = 'before' } = wanted;
  return {
    id,
    route,
    address,
    every,
    remaining: wanted.times ?? (wanted.every === undefined ? 1 : null),
    effect: EFFECTS.find((name) => wanted[name] !== undefined) ?? 'none',
    respond:
      respond === undefined
        ? null
        : { status: respond.status, headers: lowerCase(respond.headers ?? {}), body: respond.body },
    delayMs,
    when,
    seen: 0,
    hits: 0,
  };
}

/** In small letters a header is there once only, and replaces the one that a response has by itself. */
function lowerCase(headers: Readonly<Record<string, string | number>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
}

/** What a fault does, in a few words. */
export function describeFault({ effect, respond, delayMs, when }: Fault): string {
  const effects = {
    respond: `status ${String(respond?.status)}`,
    cut: 'connection cut',
    hang: 'no response',
    none: '',
  };
  const delay = delayMs > 0 ? `${delayMs} ms` : '';
  const what = effect === 'none' ? '' : `${effects[effect]} ${when} the call was carried out`;
  return [delay, what].filter((part) => part !== '').join(', ');
}
