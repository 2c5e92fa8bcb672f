import { inspect } from 'node:util';
import * as z from 'zod/mini';
import { contactRecordSchema } from '../account/contact-record.js';
import { eventRecordSchema } from '../account/records.js';
import { page } from '../control/page.js';
import { CONTROL_PREFIX } from '../control/prefix.js';
import { emailSummarySchema } from '../mail/email.js';
import { readAs } from '../read-as.js';
import {
  checkExpected,
  checkNames,
  CONTACT_NAMES,
  contactFields,
  EMAIL_NAMES,
  emailFields,
  EVENT_NAMES,
  eventFields,
  expectedFields,
  fits,
  isMatcher,
  type Fields,
} from './expected.js';

/** A running sandbox, or the base URL of one. */
export type Target = string | { readonly url: string };

const targetSchema = z.union([z.string(), z.object({ url: z.string() })]);

/** How often something is expected, and how long to wait. */
export interface Patience {
  /** Exactly so many, 1 or more; at least one unless given. */
  readonly times?: number | undefined;
  /** At most so long, in milliseconds; 2,000 unless given, 200 for what is not expected. 0 looks once. */
  readonly timeoutMs?: number | undefined;
}

const patienceSchema = z.strictObject({
  times: z.optional(z.int().check(z.minimum(1))),
  timeoutMs: z.optional(z.number().check(z.minimum(0), z.maximum(2 ** 31 - 1))),
});

/** Longest wait unless told, in milliseconds: shorter than the time that test runners give a test. */
const DEFAULT_WAIT_MS = 2_000;

/** How long to watch for what is not expected unless told, in milliseconds. */
const QUIET_MS = 200;

export interface Kind<Item> {
  /** As it is called in a sentence. */
  readonly noun: string;
  readonly list: z.ZodMiniType<{ readonly items: Item[] }>;
  readonly fields: (item: Item) => Fields;
  /** Names that can be expected of every one. */
  readonly names: readonly string[];
  readonly label: (item: Item) => string;
}

export const emailKind: Kind<z.output<typeof emailSummarySchema>> = {
  noun: 'email',
  list: page(emailSummarySchema),
  fields: emailFields,
  names: EMAIL_NAMES,
  label: ({ id, designName, to }) => `${id}, '${designName}' to ${to}`,
};

export const eventKind: Kind<z.output<typeof eventRecordSchema>> = {
  noun: 'event',
  list: page(eventRecordSchema),
  fields: eventFields,
  names: EVENT_NAMES,
  label: ({ id, name, email, userId }) => `${id}, '${name}' of ${email ?? userId ?? 'nobody'}`,
};

export const contactKind: Kind<z.output<typeof contactRecordSchema>> = {
  noun: 'contact',
  list: page(contactRecordSchema),
  fields: contactFields,
  names: CONTACT_NAMES,
  label: ({ id, email, userId }) => `${id}, ${email ?? userId ?? 'without a name'}`,
};

export interface Found<Item> {
  /** Whether there are as many as expected. */
  readonly isMet: boolean;
  /** Those that fit, and all that there are, the newest first. */
  readonly fitting: readonly Item[];
  readonly all: readonly Item[];
}

/**
 * The things that fit, of the newest 1,000, as soon as there is one, or as many as expected and no more.
 *
 * @param isUnwanted whether none is to come, which is watched for a while
 * @param given what the target was given to, as a message names it
 * @throws TypeError when that or what is expected cannot be; Error when there is no sandbox at the URL
 */
export async function arrival<Item>(
  kind: Kind<Item>,
  given: string,
  target: unknown,
  expected: object,
  patience: Patience = {},
  isUnwanted = false,
): Promise<Found<Item>> {
  const url = urlOf(given, target);
  checkExpected(kind.noun, expected);
  const { times, timeoutMs } = readAs(patienceSchema, patience);
  const isContact = kind.noun === 'contact';
  if (!isContact) checkNames(withArticle(kind), expected, kind.names);
  const look = async (): Promise<Found<Item>> => {
    const { items } = await get(kind.list, url, `/${kind.noun}s?limit=1000`);
    const fitting = items.filter((item) => misfits(kind, item, expected).length === 0);
    const isMet = times === undefined ? fitting.length > 0 : fitting.length === times;
    return { isMet, fitting, all: items };
  };
  const wait = timeoutMs ?? (isUnwanted ? QUIET_MS : DEFAULT_WAIT_MS);
  let found = await watch(url, look, wait, ({ fitting }) => fitting.length >= (times ?? 1));
  // So many are there: one more, as of a job that runs twice, may still come.
  if (times !== undefined && found.isMet)
    found = await watch(url, look, Math.min(wait, QUIET_MS), ({ fitting }) => fitting.length > times);
  // For a contact only now: the awaited call may have created a property.
  const isKnown = expectedFields(expected).every(([name]) => kind.names.includes(name));
  if (isContact && !isKnown)
    checkNames(withArticle(kind), expected, [...kind.names, ...(await declaredNames(url))]);
  return found;
}

/** Looks at once and after each change, until it is done or the time is over. */
async function watch<Item>(
  url: string,
  look: () => Promise<Found<Item>>,
  timeoutMs: number,
  isDone: (found: Found<Item>) => boolean,
): Promise<Found<Item>> {
  let found = await look();
  if (isDone(found) || timeoutMs <= 0) return found;
  try {
    // The stream is open before the second look, so that nothing is missed.
    const { body } = await open(url, '/stream', AbortSignal.timeout(timeoutMs));
    for await (const _change of body ?? []) {
      found = await look();
      if (isDone(found)) return found;
    }
  } catch {
    // The time is over, or the sandbox gone: the last look tells.
  }
  return look();
}

const declaredSchema = z.object({
  properties: z.array(z.object({ id: z.string() })),
  subscriptionGroups: z.array(z.object({ id: z.string() })),
});

async function declaredNames(url: string): Promise<string[]> {
  const { properties, subscriptionGroups } = await get(declaredSchema, url, '/schema');
  return [
    ...properties.map(({ id }) => id),
    ...subscriptionGroups.map(({ id }) => `subscriptionGroups.${id}`),
  ];
}

function misfits<Item>(kind: Kind<Item>, item: Item, expected: object): [name: string, value: unknown][] {
  const fields = kind.fields(item);
  return expectedFields(expected).filter(([name, value]) => !fits(name, fields[name], value));
}

/** The message when there are not as many as expected: those that fit, or the nearest one and how it differs. */
export function describeUnmet<Item>(
  kind: Kind<Item>,
  { fitting, all }: Found<Item>,
  expected: object,
  times: number | undefined,
): string {
  const wanted = expectedFields(expected).map(([name, value]) => `${name}: ${show(value)}`);
  const what = `{ ${wanted.join(', ')} }`;
  if (fitting.length > 0)
    return `${counted(kind, fitting)} ${fitting.length === 1 ? 'fits' : 'fit'} ${what}, not ${times}: ${listed(kind, fitting)}`;
  const lines = [`No ${kind.noun} fits ${what}.`];
  const nearest = [...all].sort(
    (a, b) => misfits(kind, a, expected).length - misfits(kind, b, expected).length,
  )[0];
  if (nearest === undefined) return `${lines.join('')} The sandbox has no ${kind.noun} at all.`;
  const fields = kind.fields(nearest);
  lines.push(`The closest of ${all.length} is ${kind.label(nearest)}. Differences:`);
  for (const [name, value] of misfits(kind, nearest, expected)) {
    lines.push(`  ${name}: ${(fields[name] ?? [undefined]).map(show).join(' or ')}, not ${show(value)}`);
  }
  return lines.join('\n');
}

/** The message when there are as many as were not expected. */
export function describeMet<Item>(kind: Kind<Item>, { fitting }: Found<Item>): string {
  return `${counted(kind, fitting)} ${fitting.length === 1 ? 'fits' : 'fit'} and should not: ${listed(kind, fitting)}`;
}

function counted({ noun }: { readonly noun: string }, { length }: { readonly length: number }): string {
  return `${length === 0 ? 'No' : length} ${noun}${length > 1 ? 's' : ''}`;
}

/** The first five. */
function listed<Item>(kind: Kind<Item>, items: readonly Item[]): string {
  return `${items.slice(0, 5).map(kind.label).join('; ')}${items.length > 5 ? '; …' : '.'}`;
}

function withArticle({ noun }: { readonly noun: string }): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (!isMatcher(value)) return inspect(value);
  if (value.toAsymmetricMatcher !== undefined) return value.toAsymmetricMatcher();
  return value.sample === undefined ? value.toString() : `${value.toString()} ${inspect(value.sample)}`;
}

function urlOf(given: string, target: unknown): string {
  const read = targetSchema.safeParse(target).data;
  if (read === undefined) {
    // Not the value itself: a client of something else may hold a key.
    const value =
      target === undefined || target === null ? String(target) : `a value of type ${typeof target}`;
    throw new TypeError(
      `${given} was given ${value}, not a running sandbox or its base URL. Has the global set-up run, which sets AUDIENCE_BASE_URL?`,
    );
  }
  return (typeof read === 'string' ? read : read.url).replace(/\/+$/, '');
}

const causeSchema = z.object({ cause: z.object({ code: z.optional(z.string()), message: z.string() }) });

function noSandbox(base: string, why: string): Error {
  return new Error(`There is no sandbox at ${base}: ${why}.`);
}

async function open(base: string, path: string, signal?: AbortSignal): Promise<Response> {
  if (!/^https?:/.test(base) || !URL.canParse(base)) throw noSandbox(base, 'that is no URL');
  const response = await fetch(
    `${base}${CONTROL_PREFIX}${path}`,
    signal === undefined ? {} : { signal },
  ).catch((error: unknown) => {
    const { cause } = causeSchema.safeParse(error).data ?? {
      cause: { code: undefined, message: String(error) },
    };
    throw noSandbox(base, `nothing listens there (${cause.code ?? cause.message})`);
  });
  if (response.ok) return response;
  throw noSandbox(base, `it responded with ${response.status}`);
}

async function get<Schema extends z.ZodMiniType>(
  schema: Schema,
  base: string,
  path: string,
): Promise<z.output<Schema>> {
  const body: unknown = await (await open(base, path)).json().catch(() => undefined);
  const read = schema.safeParse(body);
  if (read.success) return read.data;
  throw noSandbox(base, 'another server listens there');
}
