import type { INodeProperties, INodePropertyTypeOptions } from 'n8n-workflow';
import { InputProblem } from '../problem.js';
import type { Item } from '../item/operation.js';

const GROUPS: INodePropertyTypeOptions = { loadOptionsMethod: 'getSubscriptionGroups' };
const CHOOSE =
  'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.';

const LIST = { type: 'multiOptions', typeOptions: GROUPS, description: CHOOSE } as const;

export const GROUP_FIELDS: readonly INodeProperties[] = [
  {
    ...{ displayName: 'Subscribe to Groups', name: 'subscribeTo', ...LIST, default: [] },
    hint: 'Also adds contacts who left the group',
  },
  { displayName: 'Unsubscribe From Groups', name: 'unsubscribeFrom', ...LIST, default: [] },
];

/** Map of subscription groups to change, from the two multiple choices; nothing where none is chosen. */
export async function readGroups(item: Item): Promise<{ subscriptionGroups?: Record<string, boolean> }> {
  const { parameters, session } = item;
  const join = parameters.ids('subscribeTo');
  const quit = parameters.ids('unsubscribeFrom');
  const both = join.find((id) => quit.includes(id));
  if (both !== undefined) {
    const subject = parameters.subject('subscribeTo');
    throw new InputProblem({ code: 'group-in-both', subject, given: both });
  }
  if (join.length + quit.length === 0) return {};
  const known = await session.subscriptionGroups();
  for (const [name, ids] of Object.entries({ subscribeTo: join, unsubscribeFrom: quit })) {
    const unknown = ids.find((id) => !known.some((group) => group.id === id));
    if (unknown === undefined) continue;
    const names = known.map(({ id, name: called }) => `${id} (${called})`);
    const subject = parameters.subject(name);
    throw new InputProblem({ code: 'unknown-group', subject, given: unknown, names });
  }
  const entries = [...join.map((id) => [id, true] as const), ...quit.map((id) => [id, false] as const)];
  return { subscriptionGroups: Object.fromEntries(entries) };
}
