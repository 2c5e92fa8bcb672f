import { listed, propertyValueProblem, propertyValueSchema, wordProblem } from 'audience-core/internal';
import type { PropertyValue } from 'audience-core';
import * as z from 'zod/mini';
import type { Account } from '../account/account.js';
import { KEPT_FIELDS } from '../account/contact-record.js';
import { readAs } from '../read-as.js';
import { SandboxError } from '../sandbox-error.js';

const propertiesSchema = z.record(z.string(), z.union([propertyValueSchema, z.null()]));

/**
 * Checks the custom properties and subscription groups of a body, and gives the properties.
 *
 * @param notOfContact fields of the body that belong to the call and not to the contact
 * @throws SandboxError that names the property or group, and what can be used instead
 */
export function checkContactValues(
  account: Account,
  body: Readonly<Record<string, unknown>>,
  notOfContact: readonly string[] = [],
): Readonly<Record<string, PropertyValue | null>> {
  const custom = Object.entries(body).filter(
    ([name]) => !KEPT_FIELDS.includes(name) && !notOfContact.includes(name),
  );
  const properties = custom.length === 0 ? {} : readAs(propertiesSchema, Object.fromEntries(custom));
  checkProperties(account, properties);
  for (const id of Object.keys(body['subscriptionGroups'] ?? {})) {
    if (account.groups.has(id)) continue;
    throw new SandboxError({ code: 'no_group', id, known: idsOf(account.groups) });
  }
  return properties;
}

/** @throws SandboxError 400 for a property that the account does not have, or a value that is not of its type. */
export function checkProperties(
  account: Account,
  properties: Readonly<Record<string, PropertyValue | null>>,
): void {
  for (const [name, value] of Object.entries(properties)) {
    const property = account.properties.get(name);
    if (property === undefined) {
      throw new SandboxError({ code: 'no_property', name, known: idsOf(account.properties) });
    }
    const problem = propertyValueProblem(property.type, value);
    if (problem !== undefined)
      throw new SandboxError({ code: 'property_value', name, reason: wordProblem(problem) });
  }
}

/** The first ten ids. */
function idsOf(collection: { values(): Iterable<{ id: string }> }): string {
  return listed(
    [...collection.values()].map(({ id }) => id),
    String,
    10,
  );
}
