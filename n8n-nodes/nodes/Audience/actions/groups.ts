import type { INodeProperties } from 'n8n-workflow';
import { InputProblem } from '../helpers/errors.js';
import { listChoice, readChoices } from './list-choice.js';
import type { Item } from './operation.js';

const GROUPS = { loadOptionsMethod: 'getSubscriptionGroups' };

/** The two multiple choices of subscription groups, by name. */
export const GROUP_FIELDS: readonly INodeProperties[] = [
  listChoice(
    'subscribeTo',
    'Subscribe to Groups',
    'Subscription groups to add the contact to. Who is unsubscribed from all mailings stays so.',
    GROUPS,
  ),
  listChoice(
    'unsubscribeFrom',
    'Unsubscribe From Groups',
    'Subscription groups to take the contact out of',
    GROUPS,
  ),
];

/**
 * Map of subscription groups to change, from the two multiple choices; nothing where none is chosen.
 *
 * @param parent name of the collection that holds the two.
 * @throws InputProblem for a group that is in both, and for one that the service does not have.
 */
export async function readGroups(
  item: Item,
  parent: string,
): Promise<{ subscriptionGroups?: Record<string, boolean> }> {
  const { parameters, session } = item;
  const join = readChoices(item, `${parent}.subscribeTo`);
  const leave = readChoices(item, `${parent}.unsubscribeFrom`);
  const both = join.find((id) => leave.includes(id));
  if (both !== undefined) {
    throw new InputProblem(
      `The group '${both}' is both in 'Subscribe to Groups' and in 'Unsubscribe From Groups'`,
      'Remove it from one of them.',
    );
  }
  if (join.length + leave.length === 0) return {};
  const known = await session.subscriptionGroups();
  for (const [name, ids] of Object.entries({ subscribeTo: join, unsubscribeFrom: leave })) {
    const unknown = ids.find((id) => !known.some((group) => group.id === id));
    if (unknown === undefined) continue;
    throw new InputProblem(
      `'${parameters.form.label(`${parent}.${name}`)}' names '${unknown}', which is no ID of a subscription group`,
      `The service has: ${known.map(({ id, name: called }) => `${id} (${called})`).join(', ') || 'none'}.`,
    );
  }
  const entries = [...join.map((id) => [id, true] as const), ...leave.map((id) => [id, false] as const)];
  return { subscriptionGroups: Object.fromEntries(entries) };
}
