import type { Account } from '../account/account.js';
import type { AutomationRecord, DesignRecord } from '../account/records.js';
import type { Seed } from './schema.js';

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
    contacts: [...account.contacts.values()].map((contact) => ({
      email: contact.email ?? undefined,
      userId: contact.userId ?? undefined,
      firstName: contact.firstName ?? undefined,
      lastName: contact.lastName ?? undefined,
      source: contact.source ?? undefined,
      subscribed: contact.subscribed,
      subscriptionGroups: contact.subscriptionGroups,
      properties: contact.properties,
    })),
  };
}

function template(account: Account, { templateId, dataVariables }: DesignRecord | AutomationRecord) {
  const { subject, body } = account.templates.get(templateId) ?? {};
  return { subject, body, dataVariables };
}
