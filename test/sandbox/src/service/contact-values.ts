import { propertyValueProblem } from 'audience-core/contract';
import type { PropertyValue } from 'audience-core';
import type { Account } from '../account/account.js';
import { Problem } from './problem.js';

/**
 * Checks custom properties and subscription groups against those that the account has.
 *
 * @throws Problem 400 that names the property or group, and what can be used instead.
 */
export function checkContactValues(
  account: Account,
  properties: Readonly<Record<string, PropertyValue | null>>,
  groups: Readonly<Record<string, boolean>> | undefined,
): void {
  for (const [name, value] of Object.entries(properties)) {
    const property = account.properties.get(name);
    if (property === undefined) {
      throw new Problem(
        400,
        `There is no contact property '${name}'. Create it first with POST /v1/contacts/properties; ${listed('the custom properties are', account.properties)}.`,
      );
    }
    const problem = propertyValueProblem(property.type, value);
    if (problem !== undefined) throw new Problem(400, `'${name}' ${problem}.`);
  }
  for (const id of Object.keys(groups ?? {})) {
    if (account.groups.has(id)) continue;
    throw new Problem(
      400,
      `'subscriptionGroups.${id}': there is no subscription group '${id}'; ${listed('the groups are', account.groups)}.`,
    );
  }
}

function listed(
  what: string,
  collection: { readonly size: number; values(): Iterable<{ id: string }> },
): string {
  if (collection.size === 0) return 'there are none yet';
  const ids = [...collection.values()].map((record) => record.id);
  return `${what} ${ids.slice(0, 10).join(', ')}${ids.length > 10 ? ', …' : ''}`;
}
