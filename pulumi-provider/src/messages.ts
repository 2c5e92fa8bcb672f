import { nearest, wordIssue, wordProblem, type FieldPath, type ProblemDetails } from 'audience-core/internal';

/** A contact by its declared identifiers. */
export interface Named {
  readonly email?: string | undefined;
  readonly userId?: string | undefined;
}

/** Why a request failed, without a word of the person's data. */
export interface Cause {
  readonly error: string;
  /** Status of the response, or the network's code. */
  readonly detail?: string | number | undefined;
  /** The service's own words. */
  readonly says?: string | undefined;
}

/** A problem that the core finds in a value. */
export interface Issue extends ProblemDetails {
  readonly path: FieldPath;
}

/**
 * Everything that a person can read, by code. `{name}` is a fact, `{names!}` a list in quotes, `{count:row}` a number
 * with its noun, and `{count?is/are}` the verb of a number.
 */
export const SENTENCES = {
  /** A finished sentence: of a file (`file-messages.ts`), or of the core. */
  text: '{text}',

  // Settings and the service
  'setting.missing': 'The {name} of the Audience service is missing. Set it with {ways}.',
  'setting.wrong': '{message} Correct it with {ways}.',
  'service.notChecked': '{what} could not be checked: {cause}.',
  'service.failed': '{cause}',
  'service.key':
    "{text} 'pulumi refresh' and 'pulumi destroy' use the key of the last 'pulumi up': after a change, add --run-program.",
  'state.only': "{what} {name} was removed from Pulumi's state only: it stays in the service.",
  'run.cancelled': "The run was cancelled before this resource was changed. Run 'pulumi up' again.",

  // Inputs
  'input.unknown': ({
    name,
    names,
    noun = 'input',
  }: {
    name: string;
    names: readonly string[];
    noun?: string;
  }) => {
    const near = nearest(name, names);
    const known = near === undefined ? `The ${noun}s are ${names.join(', ')}` : `Did you mean '${near}'?`;
    return `Unknown ${noun} '${name}'. ${known}`;
  },
  /** The core's problem of a field: with its name, where the problem has no input of its own. */
  'field.wrong': ({ issue }: { issue: Issue }) =>
    issue.path.length > 1 ? wordIssue(issue) : wordProblem(issue),
  'field.notClearable': 'cannot be cleared: remove it',
  'field.noProperties': 'must be an object of property names and values',
  'field.isOwn': "'properties.{name}' is a built-in field: declare it beside 'properties', one level up",
  'field.clear': "must be a list of fields and properties, such as ['firstName', 'plan']",
  'field.clearsFixed': "has '{name}', which cannot be cleared: remove it",
  'field.clearsGiven': "has '{name}', which also has a value: remove one of them",
  'field.blank': 'starts or ends with a blank, or has an invisible character: type it in by hand',
  'input.invalidDate': 'A contact property or event property is an invalid Date.',
  'input.notOneOf': 'must be one of {values}',
  'input.noProperty': ({ of, name, near }: { of: string; name: string; near: string | undefined }) =>
    `'${of}.${name}' is no contact property. ${near === undefined ? 'Declare it with a ContactProperty, or correct the name' : `Did you mean '${near}'?`}`,
  'input.noGroup': ({ id, ...known }: { id: string; near?: string | undefined; groups: readonly string[] }) =>
    `'subscriptionGroups.${id}' ${groupText(known)}`,
  'event.rounded': "'createWithEvent': 'eventProperties.{name}' must be a number of at most 15 digits",
  'event.wrong': ({ issue }: { issue: Issue }) =>
    `'createWithEvent' must be an object with an 'eventName' and, where wanted, 'eventProperties'${issue.path.length === 0 ? '' : `: ${wordIssue(issue)}`}`,

  // Contact properties
  'property.twoTypes': "Contact property '{name}' gets two types, by {by} and by {other}. Keep one of them",
  'property.typeChanges':
    "Contact property '{name}' is a {from} and cannot become a {to}. Keep {from}, or declare a new property under another name",
  'property.otherType':
    "Contact property '{name}' exists with type {is}, not {wanted}, and the API has no call that changes a type. Declare it as {is}, or choose another name",
  'property.builtIn': "'{name}' is a built-in property: it needs no ContactProperty.",
  'property.gone':
    "Contact property '{name}' no longer exists in the service and was removed from Pulumi's state. The next 'pulumi up' creates it again.",
  'property.exists': "Contact property '{name}' exists already with type {type}: nothing is written.",

  // Which contact
  'identity.missing': "a contact needs an 'email', a 'userId', or both",
  'identity.noAddress':
    "has an @, so the service reads it as an email address: declare the contact's 'email' as well",
  'identity.twoContacts':
    'its email and its userId belong to two contacts (ids {first} and {second}). Correct one of them; to swap two addresses, give one contact an interim address first',
  'identity.otherUserId':
    'the contact with this email (id {id}) has another userId. Correct the userId in the program or in the service',
  'identity.otherEmail':
    'the contact with this userId (id {id}) has another email. Correct the email in the program or in the service',
  'identity.otherId':
    "its email or userId now belongs to contact {id}, not {known}. Correct it, or run 'pulumi up --replace URN' to manage contact {id}",
  'identity.notFree':
    "the contact of another row still has this email. Run 'pulumi up' again. To swap two addresses, first give one contact an interim address",
  'identity.twoRows':
    'its email and its userId are two rows of the last run. Declare one of them, or correct the wrong identifier',
  'identity.rowUserId':
    'its email had another userId in the last run. Correct it in the list, or in the service',
  'identity.needsUserId':
    "The service changes an email only by the contact's userId. Declare the 'userId' with the old email first, and change the email in the next run",

  // One contact
  'contact.refused': 'Contact {contact}: {why}',
  'contact.twoValues':
    "Contact {contact} gets two values of '{field}', by {by} and by {other}. Keep one of them",
  'contact.exists': ({ contact, sets, joins, isUnsubscribed, overwrites }: ExistingFacts) => {
    const effects = [
      ...(sets.length > 0 ? [`'pulumi up' sets ${sets.join(', ')}`] : []),
      ...(joins.length > 0 ? [`joins ${joins.join(', ')}`] : []),
      ...(isUnsubscribed ? ['unsubscribes it'] : []),
    ];
    const lost =
      overwrites.length > 0 ? ` The current value of ${overwrites.join(', ')} is overwritten.` : '';
    return `Contact ${nameOf(contact)} exists already: ${effects.join(', ') || 'it has all declared values'}.${lost}`;
  },
  'contact.notJoined':
    'Contact {contact} is not in {groups!} and may have left: not added. To add it, run AUDIENCE_REJOIN_GROUPS={groups} pulumi up.',
  'contact.dropped': 'Contact {contact}: {names: no longer managed, value kept}.',
  'contact.createdByEvent':
    "Contact {contact} does not exist. 'pulumi up' sends the event '{event}', which creates the contact and starts its automations.",
  'contact.missing':
    'the contact does not exist. Set createWithEvent to create it by an event, or correct the identifier',
  'contact.optedOut':
    "Contact {contact} does not exist, and no event creates one that is declared 'subscribed: false'. Remove it from the program",
  'contact.gone':
    'Contact {contact} no longer exists in the service. It stays in the state and is not created again.',
  'contact.goneChanged':
    "Contact {contact} no longer exists in the service. To create it again, run 'pulumi up --replace URN' ('pulumi stack --show-urns' lists the URNs).",
  'contact.notRead': 'Contact {contact} was not compared: {why}.',
  'contact.notShown': "the service does not show the contact yet. Run 'pulumi up' again in a minute",
  'contact.maybeSent':
    "its event may have been sent. Run 'pulumi up' again: it uses the same idempotency key",

  // Lists of contacts
  'contacts.source': "set either 'file' or 'contacts', and not both",
  'contacts.unsubscribed':
    "must be true, or headers with the texts that mean no mail: { Status: ['unsubscribed', 'cleaned'] }",
  'contacts.encoding': "must be an encoding: 'utf-8', or a label such as 'windows-1252'",
  'contacts.noMail':
    "columns: '{header}' says who wants no mail, so it cannot be 'subscribed'. Set unsubscribed for it, with the texts that mean no mail",
  'contacts.dateFormat': 'must have a day (dd), a month (MM) and a year (yyyy), such as dd/MM/yyyy',
  'contacts.unknown': '{list}: its contacts depend on other resources, so preview cannot compare them.',
  'contacts.changedSince': "{source} has changed since it was checked. Run 'pulumi up' again.",
  'contacts.noImport':
    "'{type}' cannot be imported. Declare it in the program: 'pulumi up' writes the contacts that exist.",
  'contacts.typesUnknown':
    "The types of {names!} are not known, because the contact properties could not be read. Run 'pulumi up' again.",
  'contacts.deleted':
    "{count:contact} of {source} {count?was/were} removed from Pulumi's state only: the service is unchanged.",
  'contacts.plan': (plan: PlanFacts) => planText(plan),
  'contacts.cutOff':
    '{source}: {location} is the last one and has no line break, but the last line had one in the last run. Was the file cut off? If it is complete, add a line break.',
  'contacts.shifted':
    '{moved} of {known} known contacts would get another email or userId; at most half may change in one run. Did columns or rows shift?',
  'contacts.removals': ({ counts, losing, limit }: { counts: PlanCounts; losing: number; limit: number }) =>
    `${counted(losing, 'contact')} would lose something (${limited(planTexts(counts, 'unsubscribed', 'leaves', 'loses')).join(', ')}); the limit is ${digits(limit)} per run. If this is meant, set maxRemovals: ${losing}.`,
  'contacts.joinedRows':
    'has the identifiers of two rows ({first} and {second}). Put all values of one contact into one row',
  'contacts.twice': "is the same contact as {where}, with another value of '{field}'. Keep one of them",
  'contacts.reading': '{list}: {count:row} read so far.',
  'contacts.progress': 'Contacts: {done} of {all} done.',
  'contacts.gone':
    "{count:contact} of {source} no longer {count?exists/exist} in the service: not created again. To create one again, remove its row, run 'pulumi up', and add the row again.",
  'contacts.drift':
    "{count:contact} of {source} {count?has/have} other values in the service than the declared ones. The next 'pulumi up' overwrites these.",
  'contacts.notCompared': 'Contacts of {source} were not compared: {reasons}.',
  'contacts.notJoined':
    "{count:contact} {count?is/are} not in group '{group}' and may have left: not added. To add {count?it/them}, run AUDIENCE_REJOIN_GROUPS={group} pulumi up.",
  'contacts.nothing':
    "{count:contact} declared 'subscribed: false' {count?does/do} not exist in the service: there is nothing to do.",
  'contacts.failed': "{done} of {all:contact} are done. The next 'pulumi up' writes the others.",
  'contacts.stopped': 'The run stopped early: {why}.',
  'contacts.rows': ({ rows, why }: { rows: readonly string[]; why: string }) => `${listed(rows, 3)}: ${why}`,
  'contacts.more': 'and {count} more',

  // Functions, the plugin and the commands
  'function.none': "There is no {kind} of the name '{name}'. The service has {names!}.",
  'function.several':
    "There are several {kind}s of the name '{name}', with the ids {ids!}. Give them different names, or use an id.",
} as const;

type Sentences = typeof SENTENCES;
export type Code = keyof Sentences;

type Fact = string | number | readonly string[] | Named | Cause;
type Names<Text> = Text extends `${string}{${infer Slot}}${infer Rest}` ? Bare<Slot> | Names<Rest> : never;
type Bare<Slot> = Slot extends `${infer Name}${'!' | ':' | '?'}${string}` ? Name : Slot;
type FactsOf<Sentence> = Sentence extends (facts: infer Facts) => string
  ? Facts
  : { readonly [Name in Names<Sentence> & string]: Fact };
type Facts = { readonly [Name in Code]: FactsOf<Sentences[Name]> };
const BY_CODE: { readonly [Name in Code]: string | ((facts: Facts[Name]) => string) } = SENTENCES;

export function isCode(text: unknown): text is Code {
  return typeof text === 'string' && Object.hasOwn(SENTENCES, text);
}

/** Something that a person should know, as data. */
export interface Problem<Name extends Code = Code> {
  readonly code: Name;
  readonly facts: Facts[Name];
  /** Name of the input; empty for the resource as a whole. */
  readonly property: string;
}

export function problem<Name extends Code>(code: Name, facts: Facts[Name], property = ''): Problem<Name> {
  return { code, facts, property };
}

/** Words a problem. `hide` gets each text in its facts, and replaces a secret. */
export function textOf<Name extends Code>(
  { code, facts }: Problem<Name>,
  hide: (fact: string) => string = (fact) => fact,
): string {
  const sentence: string | ((facts: Facts[Name]) => string) = BY_CODE[code];
  const shown = withHidden(facts, hide);
  return typeof sentence === 'string' ? fill(sentence, shown) : sentence(shown);
}

function withHidden<Value>(value: Value, hide: (fact: string) => string): Value;
function withHidden(value: unknown, hide: (fact: string) => string): unknown {
  if (typeof value === 'string') return hide(value);
  if (Array.isArray(value)) return value.map((inner: unknown) => withHidden(inner, hide));
  if (typeof value !== 'object' || value === null || value instanceof Map) return value;
  const entries = Object.entries(value).map(([name, inner]): [string, unknown] => [
    name,
    withHidden<unknown>(inner, hide),
  ]);
  return Object.fromEntries<unknown>(entries);
}

/** Puts facts into a sentence. */
export function fill(sentence: string, facts: object): string {
  const values = new Map<string, unknown>(Object.entries(facts));
  return sentence.replaceAll(/\{(\w+)([!:?]?)([^}]*)\}/g, (_, name: string, kind: string, rest: string) => {
    const value = values.get(name);
    if (kind === '!') return quoted(value);
    if (kind === '?') return rest.split('/')[value === 1 ? 0 : 1] ?? '';
    // `{names: kept}` says the same of each name.
    if (kind === ':' && Array.isArray(value)) return value.map((one) => `${String(one)}:${rest}`).join('; ');
    return kind === ':' ? counted(Number(value), rest) : worded(value);
  });
}

function worded(value: unknown): string {
  if (typeof value === 'number') return digits(value);
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value !== 'object' || value === null) return String(value);
  return isCause(value) ? causeText(value) : nameOf(value);
}

/** Ends in a period, unless it ends in another mark: a text to copy does. */
export function sentence(text: string): string {
  return /[.?!,:]$/.test(text) ? text : `${text}.`;
}

/** `1 row`, `3,000 rows`. */
export function counted(number: number, noun: string): string {
  return `${digits(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** What a run sets in a contact that exists, by names of fields. */
export interface ExistingFacts {
  readonly contact: Named;
  readonly sets: readonly string[];
  readonly joins: readonly string[];
  readonly isUnsubscribed: boolean;
  readonly overwrites: readonly string[];
}

/** What a plan counts, by kind; `{name}` is a field, a group, an event or a reason. */
const PLAN = {
  new: '{count} new',
  changed: '{count} changed',
  unchanged: '{count} unchanged',
  missing: '{count} do not exist',
  created: "{count} do not exist and get the event '{name}'",
  nothing: "{count} declared 'subscribed: false' do not exist: nothing to do",
  exist: '{count} exist',
  overwritten: '{name} ({count})',
  removed: '{count:row} no longer in the list',
  emptied: '{count} {name} emptied',
  unsubscribed: '{count} {count?is/are} unsubscribed',
  joins: "{count} {count?joins/join} group '{name}'",
  leaves: "{count} {count?leaves/leave} group '{name}'",
  loses: '{count} {count?loses/lose} {name}',
  gone: '{count:contact} no longer {count?exists/exist}: not created again.',
  refused: '{count:row} cannot be written: {name}.',
} as const;
export type PlanKind = keyof typeof PLAN | 'notJoined';

/** Names with their numbers. */
export type Counted = ReadonlyMap<string, number>;

/** Numbers of contacts by kind. */
export type PlanCounts = ReadonlyMap<PlanKind, Counted>;

/** What a run of a list will do. */
export interface PlanFacts {
  readonly list: string;
  readonly source: string;
  readonly notes: readonly string[];
  readonly event: string | undefined;
  readonly counts: PlanCounts;
  /** The first changed rows with their fields. */
  readonly rows: readonly string[];
  /** Whether the service was asked which new rows exist. */
  readonly isLookedUp: boolean;
}

function planTexts(counts: PlanCounts, ...kinds: (keyof typeof PLAN)[]): string[] {
  return kinds.flatMap((kind) =>
    [...(counts.get(kind) ?? [])].map(([name, count]) => fill(PLAN[kind], { name, count })),
  );
}

function planText({ counts, event, rows, ...plan }: PlanFacts): string {
  const of = (...kinds: (keyof typeof PLAN)[]): string[] => planTexts(counts, ...kinds);
  const line = (start: string, texts: readonly string[], end = '.', between = ', '): string[] =>
    texts.length === 0 ? [] : [`${start}${limited(texts).join(between)}${end}`];
  const changed = counts.get('changed')?.get('');
  const except = counts.has('unsubscribed') ? ", but not those declared 'subscribed: false'" : '';
  const others = event === undefined ? '' : `, and the others get the event '${event}'${except}`;
  const unknown = `Preview does not look up more than ${MAX_LOOKED_UP} contacts: new rows overwrite contacts that exist${others}.`;
  return [
    `${plan.list} (${plan.source}): ${of('new', 'changed', 'unchanged').join(', ') || '0 unchanged'}.`,
    ...plan.notes,
    ...(counts.has('new') && !plan.isLookedUp ? [unknown] : []),
    ...(plan.isLookedUp ? line('New contacts: ', of('missing', 'created', 'nothing', 'exist')) : []),
    ...(plan.isLookedUp ? line('Overwritten: ', of('overwritten')) : []),
    ...(rows.length > 0 ? [`Changed: ${limited(rows, MAX_ROWS, changed).join('; ')}.`] : []),
    ...line('', of('removed', 'emptied'), ': values kept.'),
    ...line('Of these, ', of('unsubscribed', 'joins', 'leaves', 'loses'), '.', '; '),
    ...limited(
      [...(counts.get('notJoined') ?? [])].map(([group, count]) =>
        fill(SENTENCES['contacts.notJoined'], { group, count }),
      ),
    ),
    ...of('gone'),
    ...limited(of('refused')),
  ].join('\n');
}

/** How many new rows a plan looks up, and how many changed rows it names. */
export const MAX_LOOKED_UP = 200;
export const MAX_ROWS = 10;

function groupText({ near, groups }: { near?: string | undefined; groups: readonly string[] }): string {
  if (near !== undefined) return `is the name of subscription group '${near}'. Give its id`;
  return groups.length === 0
    ? 'is no subscription group: the service has none'
    : `is no subscription group. The service has ${limited(groups).join(', ')}`;
}

/** `'ada@example.com' (userId 'user-1')`. */
function nameOf({ email, userId }: Named): string {
  if (email === undefined) return `'${userId ?? ''}'`;
  return userId === undefined ? `'${email}'` : `'${email}' (userId '${userId}')`;
}

/** Texts by error code of the core. */
const CAUSES: Readonly<Record<string, string>> = {
  aborted: 'the run was cancelled',
  authentication: 'the service does not accept the API key',
  permission: 'the API key is not allowed to do this',
  not_found: 'the contact does not exist',
  rate_limit: 'the service receives too many requests',
  server: 'the service failed',
  network: 'the service cannot be reached',
  timeout: 'the service did not respond in time',
  invalid_request: 'the service refuses these values',
  unexpected_response: 'the service gave a response that its API does not describe',
};

function isCause(value: object): value is Cause {
  return 'error' in value;
}

function causeText({ error, detail, says }: Cause): string {
  const what =
    CAUSES[error] ?? 'the service refuses this. Check whether another contact has the email or userId';
  return `${what}${detail === undefined ? '' : ` (${detail})`}${says === undefined ? '' : `: "${says}"`}`;
}

/** `'a', 'b' and 3 more`. */
export function quoted(names: unknown): string {
  const list = Array.isArray(names) ? names.map((name) => `'${String(name)}'`) : [];
  return list.length === 0 ? 'none' : listed(list, 12);
}

function digits(number: number): string {
  return number.toLocaleString('en');
}

/** `a, b and 3 more`. */
function listed(texts: readonly string[], most: number): string {
  const shown = texts.slice(0, most);
  const rest = texts.length - shown.length;
  return shown.join(', ') + (rest > 0 ? ` and ${digits(rest)} more` : '');
}

/** The first ones, and how many more there are. */
export function limited(texts: readonly string[], most = 7, all = texts.length): string[] {
  const shown = texts.slice(0, most);
  const rest = all - shown.length;
  return rest <= 0 ? shown : [...shown, `and ${digits(rest)} more`];
}
