import { contract } from 'audience-core/internal';
import * as z from 'zod/mini';

/** Names of the endpoints that faults can be set on, and `any` for all of them. */
export const ROUTES = ['any', ...Object.values(contract).map((endpoint) => endpoint.operationId)] as const;

/** Names and values of headers, each with its own message. */
const headersSchema = z
  .record(z.string(), z.union([z.number(), z.string()], 'must be a text or a number'))
  .check(({ value: headers, issues }) => {
    for (const [name, value] of Object.entries(headers)) {
      const refuse = (message: string) =>
        issues.push({ code: 'custom', message, path: [name], input: headers });
      if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) refuse('is not a name that a header can have');
      if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(String(value)))
        refuse('has a value with a character that a header cannot carry, such as a line break');
    }
  });

const respondSchema = z.strictObject({
  status: z.int().check(z.minimum(200), z.maximum(599)),
  /** Headers of the response, such as Retry-After or Content-Type. */
  headers: z.optional(headersSchema),
  /** A text as it is, anything else as JSON; an error unless given. */
  body: z.optional(z.unknown()),
});

const positive = z.optional(z.int().check(z.minimum(1)));

const on = z.optional(z.literal(true));
/** What can happen to a call in place of a response, switched on by `true`. */
const switches = { cut: on, hang: on } satisfies Readonly<Record<string, typeof on>>;
const SWITCHES = z.keyof(z.object(switches)).options;
/** What can happen to a connection in place of a response. */
export type Switch = keyof typeof switches;

/** What can happen to a call beside a delay. A fault has at most one of these. */
export const EFFECTS = ['respond', ...SWITCHES] as const;

/** What each of them is called. */
export const EFFECT_NAMES: Readonly<Record<(typeof EFFECTS)[number], string>> = {
  respond: 'another status',
  cut: 'connection cut',
  hang: 'no response',
};

/** When it happens; the first unless given. */
export const MOMENTS = ['before', 'during', 'after'] as const;

/** Which calls a fault hits, what happens to them, and when. */
const fields = {
  /** Endpoint by its `operationId`; any unless given. */
  route: z.optional(z.enum(ROUTES)),
  /** Email address or userId that the call names; capital letters make no difference. */
  address: z.optional(z.string().check(z.minLength(1))),
  /** Hits each nth of these calls, without end; 1 is all of them. */
  every: positive,
  /** How many calls are hit; 1 unless given, without end with `every`. */
  times: positive,
  /** Responds with this. */
  respond: z.optional(respondSchema),
  ...switches,
  /** How long the call takes, in milliseconds. */
  delayMs: z.optional(z.int().check(z.minimum(0), z.maximum(600_000))),
  /**
   * `before` the call, which then changes nothing (unless given); `during` the call, which is applied later; `after`
   * the call was applied.
   */
  when: z.optional(z.enum(MOMENTS)),
};

/** A fault to set. */
export const newFaultSchema = z.strictObject(fields).check(({ value: fault, issues }) => {
  const refuse = (message: string) => issues.push({ code: 'custom', message, input: fault });
  const effects = EFFECTS.filter((name) => fault[name] !== undefined);
  if (effects.length > 1) refuse(`can have only one of ${effects.join(', ')}`);
  if (effects.length === 0 && fault.delayMs === undefined)
    refuse(`must have one of ${EFFECTS.join(', ')} or delayMs`);
});

/** A fault to set: which calls it hits, what happens to them, and when. */
export type NewFault = z.input<typeof newFaultSchema>;

export const faultSchema = z.object({
  ...fields,
  id: z.string(),
  /** How many calls it has looked at, and how many of them it has hit. */
  seen: z.int(),
  hits: z.int(),
});

/** A fault that is set, with how often it was hit. */
export type Fault = z.infer<typeof faultSchema>;

/** How many calls it will still hit; `Infinity` without end. */
export function remaining({ times, every, hits }: Fault): number {
  return (times ?? (every === undefined ? 1 : Infinity)) - hits;
}

/** What happens beside a delay: the response that is set, or the switch that is on. */
export function effectOf(fault: NewFault): NewFault['respond'] | Switch {
  return fault.respond ?? SWITCHES.find((name) => fault[name] === true);
}

/** What a fault does, in a few words. */
export function describeFault(fault: Fault): string {
  const { delayMs = 0, when = 'before' } = fault;
  const effect = effectOf(fault);
  const words = typeof effect === 'object' ? `status ${effect.status}` : effect && EFFECT_NAMES[effect];
  const what = words === undefined ? [] : [`${words} ${when} the request is processed`];
  return [...(delayMs > 0 ? [`${delayMs} ms`] : []), ...what].join(', ');
}
