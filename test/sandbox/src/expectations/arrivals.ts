import { inspect } from 'node:util';
import * as z from 'zod';
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
} from './expected.js';
import type { Fields } from './expected.js';

/** A running sandbox, or the base URL of one. */
export type Target = string | { readonly url: string };

const targetSchema = z.union([z.string(), z.object({ url: z.string() })]);

/** How long to wait for what is expected. */
export interface Patience {
  /** At most so long, in milliseconds; 2,000 unless given, 0 looks once. */
  readonly timeoutMs?: number | undefined;
}

const patienceSchema = z.strictObject({
  timeoutMs: z
    .number()
    .min(0)
    .max(2 ** 31 - 1)
    .optional(),
});

/** Longest wait unless told, in milliseconds: shorter than the time that test runners give a test. */
const DEFAULT_WAIT_MS = 2_000;

export interface Kind<Item> {
  /** As it is called in a sentence. */
  readonly noun: string;
  readonly list: z.ZodType<{ readonly items: Item[] }>;
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
  readonly item: Item | undefined;
  readonly all: readonly Item[];
}

/**
 * The newest thing that fits, as soon as it is there; of the newest 1,000.
 *
 * @param given what the target was given to, as a message names it
 * @throws TypeError when that or what is expected cannot be; Error when there is no sandbox at the URL
 */
export async function arrival<Item>(
  kind: Kind<Item>,
  given: string,
  target: unknown,
  expected: object,
  patience: Patience = {},
): Promise<Found<Item>> {
  const url = urlOf(given, target);
  checkExpected(kind.noun, expected);
  const { timeoutMs = DEFAULT_WAIT_MS } = readAs(patienceSchema, patience);
  const isContact = kind.noun === 'contact';
  if (!isContact) checkNames(withArticle(kind), expected, kind.names);
  const found = await search(kind, url, expected, timeoutMs);
  // For a contact only now: the awaited call may have created a property.
  const isKnown = expectedFields(expected).every(([name]) => kind.names.includes(name));
  if (isContact && !isKnown)
    checkNames(withArticle(kind), expected, [...kind.names, ...(await declaredNames(url))]);
  return found;
}

async function search<Item>(
  kind: Kind<Item>,
  url: string,
  expected: object,
  timeoutMs: number,
): Promise<Found<Item>> {
  const look = async (): Promise<Found<Item>> => {
    const { items } = await get(kind.list, url, `/${kind.noun}s?limit=1000`);
    const item = items.find((candidate) => misfits(kind, candidate, expected).length === 0);
    return { item, all: items };
  };
  let found = await look();
  if (found.item !== undefined || timeoutMs <= 0) return found;
  try {
    // Something has changed: look once more. The stream is open before the second look, so that nothing is missed.
    const { body } = await open(url, '/stream', AbortSignal.timeout(timeoutMs));
    for await (const _change of body ?? []) {
      found = await look();
      if (found.item !== undefined) return found;
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

/** The message when nothing fits: the nearest item, and how it differs. */
export function describeNearest<Item>(kind: Kind<Item>, all: readonly Item[], expected: object): string {
  const wanted = expectedFields(expected).map(([name, value]) => `${name}: ${show(value)}`);
  const lines = [`No ${kind.noun} fits { ${wanted.join(', ')} }.`];
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

export function describeFound<Item>(kind: Kind<Item>, item: Item): string {
  return `There is ${withArticle(kind)} that fits: ${kind.label(item)}.`;
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

const causeSchema = z.object({ cause: z.object({ code: z.string().optional(), message: z.string() }) });

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

async function get<Schema extends z.ZodType>(
  schema: Schema,
  base: string,
  path: string,
): Promise<z.output<Schema>> {
  const body: unknown = await (await open(base, path)).json().catch(() => undefined);
  const read = schema.safeParse(body);
  if (read.success) return read.data;
  throw noSandbox(base, 'another server listens there');
}
