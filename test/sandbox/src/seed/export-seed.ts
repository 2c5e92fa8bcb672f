import type { Account } from '../account/account.js';
import type { ContactRecord } from '../account/contact-record.js';
import type { AutomationRecord, DesignRecord } from '../account/records.js';
import { seedContactSchema } from './schema.js';
import type { Seed, SeedContact } from './schema.js';

/** Everything that the account holds, in the form of a seed. Ids of contacts are given anew when it is loaded. */
export function exportSeed(account: Account): Seed {
  return {
    designs: [...account.designs.values()].map((design) => ({
      id: design.id,
      name: design.name,
      lastUpdated: design.lastUpdated,
      ...template(account, design),
    })),
    automations: [...account.automations.values()].map((automation) => ({
      id: automation.id,
      name: automation.name,
      eventName: automation.eventName,
      ...template(account, automation),
    })),
    subscriptionGroups: [...account.groups.values()].map(({ id, name, description }) => ({
      id,
      name,
      description,
    })),
    properties: [...account.properties.values()].map(({ id, type, label }) => ({ name: id, type, label })),
    contacts: [...account.contacts.values()].map(seedContact),
  };
}

function seedContact({
  id: _id,
  createdAt: _createdAt,
  updatedAt: _updatedAt,
  hidden: _hidden,
  ...contact
}: ContactRecord): SeedContact {
  return seedContactSchema.parse(
    Object.fromEntries(Object.entries(contact).filter(([, value]) => value !== null)),
  );
}

function template(account: Account, { templateId, dataVariables }: DesignRecord | AutomationRecord) {
  const { subject, body } = account.templates.get(templateId) ?? {};
  return { subject, body, dataVariables };
}
