import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import { inEditor } from './editor.js';

/** Subscription groups by name. */
export async function getSubscriptionGroups(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  const groups = await inEditor(this, ({ api }) => api.subscriptionGroups.list());
  return groups
    .map(({ id, name, description }) => ({ name, value: id, description: description ?? '' }))
    .sort(byName);
}

function byName(a: INodePropertyOptions, b: INodePropertyOptions): number {
  return a.name.localeCompare(b.name);
}
