import {
  counted,
  digits,
  listed,
  nearest,
  wordIssue,
  wordProblem,
  type Problem as Issue,
} from 'audience-core/internal';
import {
  goneText,
  NOBODY,
  planText,
  planTexts,
  type PlanCounts,
  type PlanFacts,
  type RowsOf,
} from './plan.js';
import { nameOf, type Named } from './words.js';

/** What a run sets in a contact that exists, by names of fields. */
export interface ExistingFacts {
  readonly contact: Named;
  readonly sets: readonly string[];
  readonly joins: readonly string[];
  readonly leaves: readonly string[];
  readonly isUnsubscribed: boolean;
  readonly overwrites: readonly string[];
}

/**
 * All messages, by code. `{name}` is a fact, `{names!}` a list in quotes, `{count:row}` a number
 * with its noun, and `{count?is/are}` the verb of a number.
 */
export const SENTENCES = {
  /** A finished sentence: of a file (`file-messages.ts`), or of the core. */
  text: '{text}',

  // Settings and the service
  'setting.missing': 'The {name} of the Audience service is missing. Set it with {ways}.',
  'setting.wrong': '{message} Correct it with {ways}.',
  'service.otherAddress':
    "This stack was written to {from}, and the address is {to} now. For another account, use a stack of its own. If it is the same service, run 'pulumi config set audience:movedFrom {from}'.",
  'service.notChecked': '{what} could not be checked: {cause}.',
  'service.slow':
    "Preview reads the service for at most 10 seconds: the rest was not checked. 'pulumi up' checks it when it writes.",
  'service.failed': '{cause}',
  'service.key':
    "{text} 'pulumi refresh' and 'pulumi destroy' use the key of the last 'pulumi up': after a change, add --run-program.",
  'event.notSent': 'its event was not sent: {cause}',
  'event.unclear':
    "its event may have been sent: {cause}. Run 'pulumi up' again: it looks for the contact first",
  'event.conflict':
    "the service refuses its event: {cause}. If the contact was deleted since an earlier event, change the event's eventProperties, for example add 'again: 1'",
  'event.tooEarly': ({ rows, by }: { rows: readonly string[]; by: string }) =>
    `${listed(rows, String, 3)} would get the event, but ${by} comes later: it says 'no mail' of this contact, or knows it from an earlier run. Let the resource with the event depend on it (dependsOn), or put the 'no mail' rows in a list of their own`,
  'event.sentTooEarly': ({ rows, by }: { rows: readonly string[]; by: string }) =>
    `${listed(rows, String, 10)} got the event, before ${by} was read: it says 'no mail' of this contact, or knows it from an earlier run. Its values are written now. Let the resource with the event depend on it (dependsOn)`,
  'state.version':
    'This state has another format than version {version}. Use the version of pulumi-audience that wrote it',
  'state.only': "{what} {name} was removed from Pulumi's state only: the service is unchanged.",
  'run.wasCancelled': 'the run was cancelled',
  'run.cancelled': "The run was cancelled before this resource was changed. Run 'pulumi up' again.",

  // Inputs
  'input.unknown': ({ name, names }: { name: string; names: readonly string[] }) => {
    const near = nearest(name, names);
    const known = near === undefined ? `The inputs are ${names.join(', ')}` : `Did you mean '${near}'?`;
    return `Unknown input '${name}'. ${known}`;
  },
  /** The core's problem of a field: with its name, where the problem has no input of its own. */
  'field.wrong': ({ issue }: { issue: Issue }) =>
    issue.path.length > 1 ? wordIssue(issue) : wordProblem(issue),
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
  'input.noGroup': (facts: { id: string; near?: string | undefined; groups: readonly string[] }) =>
    facts.near === undefined
      ? `'subscriptionGroups.${facts.id}' is no subscription group. The service has ${listed(facts.groups)}`
      : `'subscriptionGroups.${facts.id}' is the name of subscription group '${facts.near}'. Give its id`,
  'event.rounded': "'createWithEvent': 'eventProperties.{name}' must be a number of at most 15 digits",
  'event.wrong': ({ issue }: { issue: Issue }) =>
    `'createWithEvent' must be an object with an 'eventName', and optional 'eventProperties'${issue.path.length === 0 ? '' : `: ${wordIssue(issue)}`}`,

  // Contact properties
  'property.twoTypes': "Contact property '{name}' gets two types, by {by} and by {other}. Keep one of them",
  'property.otherType':
    "Contact property '{name}' exists with type {is}, not {wanted}, and the API has no call that changes a type. Declare it as {is}, or choose another name",
  'property.gone':
    "Contact property '{name}' no longer exists in the service and was removed from Pulumi's state. The next 'pulumi up' creates it again.",
  'property.exists': "Contact property '{name}' exists already with type {type}: nothing is written.",

  // Which contact
  'identity.missing': "a contact needs an 'email', a 'userId', or both",
  'identity.noAddress':
    "has an @, so we assume that the service reads it as an email address: declare the contact's 'email' as well",
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
  'identity.emailTaken':
    'contact {id} has this email, and not the userId. Correct the email in the program or in the service',
  'identity.needsUserId':
    "The service changes an email only by the contact's userId. Declare the 'userId' with the old email first, and change the email in the next run",

  // One contact
  'contact.refused': 'Contact {contact}: {why}',
  'contact.twoValues':
    "Contact {contact} gets two values of '{field}', by {where} and by {other}. Keep one of them",
  'contact.exists': ({ contact, sets, joins, leaves, isUnsubscribed, overwrites }: ExistingFacts) => {
    const effects = [
      ...(sets.length > 0 ? [`sets ${sets.join(', ')}`] : []),
      ...(joins.length > 0 ? [`joins ${joins.join(', ')}`] : []),
      ...(leaves.length > 0 ? [`leaves ${leaves.join(', ')}`] : []),
      ...(isUnsubscribed ? ['unsubscribes it'] : []),
    ];
    const lost =
      overwrites.length > 0 ? ` The current value of ${overwrites.join(', ')} is overwritten.` : '';
    const does = effects.length > 0 ? `'pulumi up' ${effects.join(', ')}` : 'it has all declared values';
    return `Contact ${nameOf(contact)} exists already: ${does}.${lost}`;
  },
  'contact.mayHaveLeft': 'Contact {contact} may have left {groups!} or unsubscribed: not added to it.',
  'contact.dropped': ({ contact, names }: { contact: Named; names: readonly string[] }) =>
    `Contact ${nameOf(contact)}: ${names.map((name) => `${name}: no longer managed, value kept`).join('; ')}.`,
  'contact.createdByEvent':
    "Contact {contact} does not exist: 'pulumi up' sends the event '{event}', which creates it and triggers the matching automations.",
  'contact.missing':
    'we assume that the contact does not exist (404). Set createWithEvent to create it by an event, or correct the identifier',
  'contact.optedOut':
    "Contact {contact} does not exist, and no event creates one that is declared 'subscribed: false'. Remove it from the program",
  'contact.gone':
    'Contact {contact} no longer exists in the service, and is not created again. Remove it from the program, unless it unsubscribes the contact.',
  'contact.goneChanged':
    "Contact {contact} no longer exists in the service. To create it again, run 'pulumi up --replace URN' ('pulumi stack --show-urns' lists the URNs).",
  'contact.notRead': 'Contact {contact} was not compared: {why}.',
  'contact.notShown':
    "the service does not show the contact after its event. Run 'pulumi up' again in a minute. If the contact was deleted before, change the event's eventProperties, for example add 'again: 1'",
  'contact.vanished': "the service found the contact, and then responded 404. Run 'pulumi up' again",
  'contact.optedOutBy': "the contact does not exist, and {by} says 'subscribed: false' of it: not created",
  'contact.importedBy':
    "There is no contact '{name}'. Import takes a contact's email or userId, not its id in the service.",

  // Lists of contacts
  'contacts.source': "set either 'file' or 'contacts', and not both",
  'contacts.consent':
    "must be 'mail' or 'no mail' for all rows, or headers with an answer to each text: 'mail', 'no mail' or 'skip'. Replace each '?'",
  'contacts.others': "cannot have the answer 'mail' for '*': write each text of contacts that want mail",
  'contacts.equal': 'In columns or consent, {names!} are compared as equal. Keep one of them',
  'contacts.encoding': "must be an encoding: 'utf-8', or a label such as 'windows-1252'",
  'contacts.dateFormat': 'must have a day (dd), a month (MM) and a year (yyyy), such as dd/MM/yyyy',
  'contacts.unknown': '{list}: its contacts depend on other resources, so preview cannot compare them.',
  'contacts.changedSince': "{source} has changed since it was checked. Run 'pulumi up' again.",
  'contacts.typesUnknown':
    "The types of {names!} are not known, because the contact properties could not be read. Run 'pulumi up' again.",
  'contacts.plan': (plan: PlanFacts) => planText(plan),
  'contacts.removals': ({ counts, losing, limit }: { counts: PlanCounts; losing: number; limit: number }) =>
    `${counted(losing, 'contact')} would lose something (${listed(planTexts(counts, 'unsubscribed', 'leaves', 'loses'))}); the limit is ${digits(limit)} per run. If you want this, set maxRemovals: ${losing}.`,
  'contacts.joinedRows':
    'has the identifiers of two rows ({first} and {second}). Put all values of one contact into one row',
  'contacts.twice': "is the same contact as {where}, with another value of '{field}'. Keep one of them",
  'contacts.progress': 'Contacts: {done} of {all} tried.',
  'contacts.gone': goneText,
  'contacts.drift':
    "{count:contact} of {source} {count?has/have} other values in the service than the declared ones. The next 'pulumi up' overwrites these.",
  'contacts.notCompared': 'Contacts of {source} were not compared: {reasons}.',
  'contacts.notJoined': ({ rows, group, source }: RowsOf & { group: string }) =>
    `${listed(rows, String, 10)} of ${source} may have left group '${group}' or unsubscribed: not added to it.`,
  'contacts.ignored':
    'Changes of {source} are ignored: {count:contact} with unwritten values {count?is/are} not changed.',
  'contacts.nobody': NOBODY,
  'contacts.notCreated': ({ rows, by, source }: RowsOf & { by: string }) =>
    `${listed(rows, String, 10)} of ${source}: the contact does not exist, and ${by} says 'no mail' of it. Not created.`,
  'contacts.ignoredConsent':
    "Changes of {source} are ignored, so its 'no mail' rows do not keep other lists from sending an event in this run.",
  'contacts.failed': '{done} of {all:contact} are done.',
  'contacts.stopped': 'The run stopped early: {why}.',
  'contacts.rows': ({ rows, why }: { rows: readonly string[]; why: string }) =>
    `${listed(rows, String, 3)}: ${why}`,
  'contacts.more': 'and {count} more',

  // Functions, the plugin and the commands
  'function.none': "There is no {kind} named '{name}'. The service has {names!}.",
  'function.several':
    "There are several {kind}s named '{name}', with the ids {ids!}. Give them different names, or use an id.",
} as const;
