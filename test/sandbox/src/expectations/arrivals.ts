import { inspect } from 'node:util';
import type * as z from 'zod';
import { contactRecordSchema } from '../account/contact-record.js';
import { eventRecordSchema } from '../account/records.js';
import { page } from '../control/page.js';
import { CONTROL_PREFIX } from '../control/table.js';
import { emailSummarySchema } from '../mail/email.js';
import { contactFields, emailFields, eventFields, expectedFields, fits, isMatcher } from './expected.js';
import type { Fields } from './expected.js';

/** A running sandbox, or the base URL of one. */
export type Target = string | { readonly url: string };

/** How long to wait for what is expected. */
export interface Patience {
  /** At most so long, in milliseconds; 2,000 unless given, 0 looks once. */
  readonly timeoutMs?: number | undefined;
}

/** Longest wait unless told, in milliseconds: shorter than the time that test runners give a test. */
const DEFAULT_WAIT_MS = 2_000;

/** A kind of thing that a sandbox receives. */
export interface Kind<Item> {
  /** As it is called in a sentence. */
  readonly noun: string;
  /** Path of its list in the control plane. */
  readonly path: string;
  readonly list: z.ZodType<{ readonly items: Item[] }>;
  readonly fields: (item: Item) => Fields;
  /** Which one it is, for a person. */
  readonly label: (item: Item) => string;
}

export const emailKind: Kind<z.output<typeof emailSummarySchema>> = {
  noun: 'email',
  path: '/emails',
  list: page(emailSummarySchema),
  fields: emailFields,
  label: ({ id, designName, to }) => `${id}, '${designName}' to ${to}`,
};

export const eventKind: Kind<z.output<typeof eventRecordSchema>> = {
  noun: 'event',
  path: '/events',
  list: page(eventRecordSchema),
  fields: eventFields,
  label: ({ id, name, email, userId }) => `${id}, '${name}' of ${email ?? userId ?? 'nobody'}`,
};

export const contactKind: Kind<z.output<typeof contactRecordSchema>> = {
  noun: 'contact',
  path: '/contacts',
  list: page(contactRecordSchema),
  fields: contactFields,
  label: ({ id, email, userId }) => `${id}, ${email ?? userId ?? 'without a name'}`,
};

/** What came of a look. */
export interface Found<Item> {
  /** The newest that fits. */
  readonly item: Item | undefined;
  /** All that are there. */
  readonly all: readonly Item[];
}

/**
 * The newest thing that fits, as soon as it is there; of the newest 1,000.
 *
 * @throws Error when there is no sandbox at the URL
 */
export async function arrival<Item>(
  kind: Kind<Item>,
  target: Target,
  expected: object,
  { timeoutMs = DEFAULT_WAIT_MS }: Patience = {},
): Promise<Found<Item>> {
  const control = `${urlOf(target).replace(/\/+$/, '')}${CONTROL_PREFIX}`;
  const look = async (): Promise<Found<Item>> => {
    const { items } = kind.list.parse(await (await open(`${control}${kind.path}?limit=1000`)).json());
    const item = items.find((candidate) => misfits(kind, candidate, expected).length === 0);
    return { item, all: items };
  };
  let found = await look();
  if (found.item !== undefined || timeoutMs <= 0) return found;
  const time = AbortSignal.timeout(timeoutMs);
  try {
    // Whatever has changed: look again. The stream is open before the second look, so that nothing is missed.
    const { body } = await open(`${control}/stream`, time);
    for await (const _change of body ?? []) {
      found = await look();
      if (found.item !== undefined) return found;
    }
  } catch (error) {
    if (!time.aborted) throw error;
  }
  return look();
}

/** The fields in which a thing is not what is expected. */
function misfits<Item>(kind: Kind<Item>, item: Item, expected: object): [name: string, value: unknown][] {
  const fields = kind.fields(item);
  return expectedFields(expected).filter(([name, value]) => !fits(name, fields[name], value));
}

/** What to tell a person when nothing fits: the nearest of what is there, and in what it differs. */
export function describeNearest<Item>(kind: Kind<Item>, all: readonly Item[], expected: object): string {
  const wanted = expectedFields(expected).map(([name, value]) => `${name}: ${show(value)}`);
  const lines = [`No ${kind.noun} fits { ${wanted.join(', ')} }.`];
  const nearest = [...all].sort(
    (a, b) => misfits(kind, a, expected).length - misfits(kind, b, expected).length,
  )[0];
  if (nearest === undefined) return `${lines.join('')} There is none at all.`;
  const fields = kind.fields(nearest);
  lines.push(`The nearest of ${all.length}: ${kind.label(nearest)}. It differs in`);
  for (const [name, value] of misfits(kind, nearest, expected)) {
    lines.push(`  ${name}: ${(fields[name] ?? [undefined]).map(show).join(' or ')}, not ${show(value)}`);
  }
  return lines.join('\n');
}

/** What to tell a person when there is one that should not be. */
export function describeFound<Item>(kind: Kind<Item>, item: Item): string {
  return `There is an ${kind.noun} that fits: ${kind.label(item)}.`.replace('an contact', 'a contact');
}

function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  return isMatcher(value) ? (value.toAsymmetricMatcher?.() ?? value.toString()) : inspect(value);
}

function urlOf(target: Target): string {
  return typeof target === 'string' ? target : target.url;
}

async function open(url: string, signal?: AbortSignal): Promise<Response> {
  const response = await fetch(url, signal === undefined ? {} : { signal });
  if (response.ok) return response;
  throw new Error(`There is no sandbox at ${url}: it answered ${response.status}.`);
}
