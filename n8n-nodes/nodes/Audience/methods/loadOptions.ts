import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import { clearableFields } from '../actions/contact-fields.js';
import { chosenDesign, inEditor } from './editor.js';

/** Subscription groups by name. */
export async function getSubscriptionGroups(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  const groups = await inEditor(this, ({ api }) => api.subscriptionGroups.list());
  return groups
    .map(({ id, name, description }) => ({ name, value: id, description: description ?? '' }))
    .sort(byName);
}

/** Contact fields whose value can be removed. */
export async function getClearableContactFields(
  this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
  const custom = await inEditor(this, (session) => session.customProperties());
  const own = [...custom.values()].map(({ key, label }) => ({ name: label ?? key, value: key })).sort(byName);
  return [...clearableFields(), ...own];
}

/** Variables of the chosen email design, by name. */
export async function getVariableNames(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  const id = chosenDesign(this);
  if (id === '') return [];
  const design = await inEditor(this, (session) => session.design(id));
  return (design?.dataVariables ?? []).map((name) => ({ name, value: name }));
}

function byName(a: INodePropertyOptions, b: INodePropertyOptions): number {
  return a.name.localeCompare(b.name);
}
