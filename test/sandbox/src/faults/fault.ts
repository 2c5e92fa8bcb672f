import { contract } from 'audience-core/internal';
import * as z from 'zod';

/** Names of the endpoints that faults can be set on, and `any` for all of them. */
export const ROUTES = ['any', ...Object.values(contract).map((endpoint) => endpoint.operationId)] as const;

const RETRY_AFTER = 'must be seconds or an HTTP date';
const isRetryAfter = (text: string): boolean =>
  /^\d+$/.test(text) || (/^[A-Z][\x20-\x7e]+$/.test(text) && !Number.isNaN(Date.parse(text)));

const EFFECTS = ['status', 'cut', 'hang', 'garbage'] as const;

const routeSchema = z.enum(ROUTES);

/** A fault to set: what goes wrong, on which calls, and how many of them. */
export const newFaultSchema = z
  .strictObject({
    route: routeSchema.optional().describe('Endpoint by its operationId; any unless given.'),
    times: z
      .int()
      .min(1)
      .optional()
      .describe('How many calls are hit; 1 unless given, endless with percent.'),
    percent: z
      .number()
      .min(0)
      .max(100)
      .optional()
      .describe('Share of the calls that are hit, chosen from seed.'),
    seed: z.int().optional().describe('Start of the random choice; the same seed hits the same calls.'),
    status: z.int().min(400).max(599).optional().describe('Responds with this status.'),
    retryAfter: z
      .union([z.number().min(0, RETRY_AFTER), z.string().refine(isRetryAfter, RETRY_AFTER)], RETRY_AFTER)
      .optional()
      .describe('Retry-After header beside status: seconds, or an HTTP date.'),
    latencyMs: z.int().min(0).max(600_000).optional().describe('Milliseconds to wait before anything else.'),
    afterMs: z
      .int()
      .min(0)
      .max(600_000)
      .optional()
      .describe(
        'Responds after that many milliseconds, while the call goes on for latencyMs and is carried out.',
      ),
    cut: z.literal(true).optional().describe('Cuts the connection.'),
    hang: z.literal(true).optional().describe('Never responds.'),
    garbage: z.literal(true).optional().describe('Responds 200 with a body that is no JSON.'),
    when: z
      .enum(['before', 'after'])
      .optional()
      .describe(
        'Whether the call is lost before it was applied, or only its response, after; before unless afterMs is given.',
      ),
  })
  .superRefine((fault, context) => {
    const refuse = (message: string, ...path: string[]) =>
      context.addIssue({ code: 'custom', message, path });
    const effects = EFFECTS.filter((name) => fault[name] !== undefined);
    if (effects.length > 1) refuse(`Give only one of ${effects.join(', ')}`);
    if (effects.length === 0 && fault.latencyMs === undefined)
      refuse('Give one of status, cut, hang, garbage or latencyMs');
    if (fault.retryAfter !== undefined && fault.status === undefined)
      refuse("can only be set together with 'status'", 'retryAfter');
    if (fault.afterMs === undefined) return;
    if (effects.length === 0) refuse('goes with status, cut, hang or garbage', 'afterMs');
    if (fault.afterMs > (fault.latencyMs ?? 0)) refuse("must not be more than 'latencyMs'", 'afterMs');
  });

/** A fault to set. */
export type NewFault = z.input<typeof newFaultSchema>;

export const faultSchema = z.object({
  id: z.string(),
  route: routeSchema,
  /** How many calls it will still hit; null without end. */
  remaining: z.int().nullable(),
  percent: z.number().nullable(),
  seed: z.int().nullable(),
  status: z.int().nullable(),
  retryAfter: z.string().nullable(),
  latencyMs: z.int(),
  /** When it responds, in milliseconds; null at the end of the call. */
  afterMs: z.int().nullable().default(null),
  effect: z.enum([...EFFECTS, 'none']),
  when: z.enum(['before', 'after']),
  hits: z.int(),
});

/** A fault that is set. */
export type Fault = z.infer<typeof faultSchema>;

export function effectOf(fault: NewFault): Fault['effect'] {
  return EFFECTS.find((name) => fault[name] !== undefined) ?? 'none';
}

/** What a fault does, in a few words. */
export function describeFault(fault: Fault): string {
  const effects = {
    status: `status ${String(fault.status)}${fault.retryAfter === null ? '' : `, Retry-After ${fault.retryAfter}`}`,
    cut: 'connection cut',
    hang: 'no response',
    garbage: 'garbage response',
    none: '',
  };
  const latency = fault.latencyMs > 0 ? `${fault.latencyMs} ms late` : '';
  const moment = fault.afterMs === null ? `${fault.when} it was applied` : `after ${fault.afterMs} ms`;
  const effect = fault.effect === 'none' ? '' : `${effects[fault.effect]} ${moment}`;
  return [latency, effect].filter((part) => part !== '').join(', ');
}
