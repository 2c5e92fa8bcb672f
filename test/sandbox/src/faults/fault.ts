import { contract } from 'audience-core/internal';
import * as z from 'zod';

/** Names of the endpoints that faults can be set on, and `any` for all of them. */
export const ROUTES = ['any', ...Object.values(contract).map((endpoint) => endpoint.operationId)] as const;

const EFFECTS = ['respond', 'cut', 'hang'] as const;

const routeSchema = z.enum(ROUTES);
const whenSchema = z.enum(['before', 'during', 'after']);

const HEADER_NAME = 'must be the name of a header';
const HEADER_VALUE = 'must be a number, or a text that a header can carry';

const respondSchema = z.strictObject({
  status: z.int().min(200).max(599).describe('Status of the response.'),
  headers: z
    .record(
      z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, HEADER_NAME),
      z.union([z.number(), z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/)], HEADER_VALUE),
    )
    .optional()
    .describe('Headers of the response, such as Retry-After or Content-Type.'),
  body: z
    .unknown()
    .optional()
    .describe('Body: text as it is, anything else as JSON; an error of the profile unless given.'),
});

/** A fault to set: which calls it hits, what happens to them, and when. */
export const newFaultSchema = z
  .strictObject({
    route: routeSchema.optional().describe('Endpoint by its operationId; any unless given.'),
    address: z
      .string()
      .min(1)
      .optional()
      .describe('Email address or userId that the call names; capital letters make no difference.'),
    every: z.int().min(1).optional().describe('Hits each nth of these calls, without end; 1 is all of them.'),
    times: z.int().min(1).optional().describe('How many calls are hit; 1 unless given, endless with every.'),
    respond: respondSchema.optional().describe('Responds with this.'),
    cut: z.literal(true).optional().describe('Cuts the connection.'),
    hang: z.literal(true).optional().describe('Never responds.'),
    delayMs: z.int().min(0).max(600_000).optional().describe('How long the call takes, in milliseconds.'),
    when: whenSchema
      .optional()
      .describe(
        'When it happens: before the call is carried out, which it then never is (unless given); during, while the call goes on and is carried out later; after it was carried out.',
      ),
  })
  .superRefine((fault, context) => {
    const refuse = (message: string) => context.addIssue({ code: 'custom', message });
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
  address: z.string().nullable(),
  every: z.int(),
  /** How many calls it will still hit; null without end. */
  remaining: z.int().nullable(),
  effect: z.enum([...EFFECTS, 'none']),
  respond: z
    .object({ status: z.int(), headers: z.record(z.string(), z.string()), body: z.unknown().optional() })
    .nullable(),
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
