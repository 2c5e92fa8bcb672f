import type { Account } from '../account/account.js';
import type { ContactRecord } from '../account/contact-record.js';
import type { DesignRecord } from '../account/records.js';
import { seedContactSchema, type Seed, type SeedContact } from './schema.js';

/** Everything that the account holds, in the form of a seed. Ids of contacts are given anew when it is loaded. */
export function exportSeed(account: Account): Seed {
  return {
    designs: [...account.designs.values()].map(({ id, name, lastUpdated, ...design }) => ({
      ...{ id, name, lastUpdated },
      ...template(account, design),
    })),
    automations: [...account.automations.values()].map(({ id, name, eventName, ...automation }) => ({
      ...{ id, name, eventName },
      ...template(account, automation),
    })),
    subscriptionGroups: [...account.groups.values()],
    properties: [...account.properties.values()].map(({ id, type, label }) => ({ name: id, type, label })),
    contacts: [...account.contacts.values()].map(seedContact),
  };
}

function seedContact(contact: ContactRecord): SeedContact {
  const fields = Object.entries(contact).filter(
    ([name, value]) => name in seedContactSchema.shape && value !== null,
  );
  return seedContactSchema.parse(Object.fromEntries(fields));
}

function template(
  account: Account,
  { templateId, dataVariables }: Pick<DesignRecord, 'templateId' | 'dataVariables'>,
) {
  const { subject, body } = account.templates.get(templateId) ?? {};
  return { subject, body, dataVariables };
}
