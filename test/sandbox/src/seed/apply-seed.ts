import type { Account } from '../account/account.js';
import { defaultBody } from '../mail/default-body.js';
import { templateRecord, variablesOf } from '../mail/template.js';
import { newContact, withFields } from '../account/contact-record.js';
import { checkContactValues, checkProperties } from '../service/contact-values.js';
import { labelOf } from '../service/label.js';
import { readAs } from '../read-as.js';
import { SandboxError } from '../sandbox-error.js';
import { seedSchema, type Seed, type SeedAutomation, type SeedContact, type SeedDesign } from './schema.js';
import { reasonOf } from '../reason.js';

/** A seed that cannot be used. */
export class SeedError extends SandboxError {}

/** Makes a seed all that the account holds. @throws SeedError that names what is wrong; the account then stays. */
export function applySeed(account: Account, seed: unknown, trial: Account): Seed {
  // Tried on a separate account first, so that a seed with a fault in its last line changes nothing.
  try {
    fill(trial, seed);
  } catch (error) {
    throw error instanceof SandboxError ? new SeedError(error.problem) : error;
  }
  account.clear();
  return fill(account, seed);
}

function fill(account: Account, input: unknown): Seed {
  const seed = readAs(seedSchema, input, 'a seed');
  for (const group of unique(seed.subscriptionGroups ?? [], (group) => group.id, 'subscription group')) {
    account.groups.put({ id: group.id, name: group.name, description: group.description ?? null });
  }
  for (const property of unique(seed.properties ?? [], (property) => property.name, 'property')) {
    account.properties.put({
      id: property.name,
      label: property.label ?? labelOf(property.name),
      type: property.type,
    });
  }
  for (const design of unique(seed.designs ?? [], (design) => design.id, 'design'))
    putDesign(account, design);
  for (const automation of unique(seed.automations ?? [], (automation) => automation.id, 'automation')) {
    putAutomation(account, automation);
  }
  for (const contact of seed.contacts ?? []) addContact(account, contact);
  return seed;
}

/** Adds a design, or changes the one with its id; its position in the list stays. */
export function putDesign(account: Account, design: SeedDesign): void {
  const known = account.designs.get(design.id);
  account.designs.put({
    id: design.id,
    position: known?.position ?? account.nextNumber('design'),
    name: design.name,
    lastUpdated: design.lastUpdated ?? account.clock.timestamp(),
    ...template(account, design, design.name),
  });
}

function putAutomation(account: Account, automation: SeedAutomation): void {
  account.automations.put({
    id: automation.id,
    name: automation.name,
    eventName: automation.eventName,
    ...template(account, automation, automation.name),
  });
}

function template(
  account: Account,
  source: SeedDesign | SeedAutomation,
  name: string,
): { dataVariables: string[]; templateId: string } {
  const subject = source.subject ?? name;
  const body = source.body ?? defaultBody(name, source.dataVariables ?? []);
  try {
    const { expected } = variablesOf(subject, body);
    const dataVariables = source.dataVariables ?? expected;
    const record = templateRecord(subject, body);
    account.templates.put(record);
    return { dataVariables, templateId: record.id };
  } catch (error) {
    throw new SandboxError({ code: 'template_unreadable', id: source.id, reason: reasonOf(error) });
  }
}

function addContact(account: Account, contact: SeedContact): void {
  const name = contact.email ?? contact.userId ?? '';
  if (contact.email !== undefined && account.contacts.byEmail(contact.email) !== undefined) {
    throw new SandboxError({ code: 'seed_email_twice', email: contact.email });
  }
  if (contact.userId !== undefined && account.contacts.byUserId(contact.userId) !== undefined) {
    throw new SandboxError({ code: 'seed_user_id_twice', userId: contact.userId });
  }
  try {
    checkContactValues(account, { subscriptionGroups: contact.subscriptionGroups });
    checkProperties(account, contact.properties ?? {});
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
    throw new SandboxError({ code: 'seed_contact', name, reason: error.message });
  }
  const now = account.clock.timestamp();
  account.contacts.put({
    ...withFields(newContact(account.nextId('contact'), now), contact, now),
    properties: contact.properties ?? {},
  });
}

function unique<T>(items: readonly T[], idOf: (item: T) => string, what: string): readonly T[] {
  const seen = new Set<string>();
  for (const item of items) {
    const id = idOf(item);
    if (seen.has(id)) throw new SandboxError({ code: 'seed_id_twice', what, id });
    seen.add(id);
  }
  return items;
}
