import { propertyNameProblem } from 'audience-core/contract';
import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import { BUILT_IN_LABELS } from '../actions/contact-fields.js';
import { toNodeError } from '../helpers/errors.js';
import { EDITOR_LIMITS, openSession } from '../transport/session.js';

/** Subscription groups by name. */
export async function getSubscriptionGroups(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  try {
    const { api } = await openSession(this, EDITOR_LIMITS);
    const groups = await api.subscriptionGroups.list();
    return groups
      .map(({ id, name, description }) => ({ name, value: id, description: description ?? '' }))
      .sort(byName);
  } catch (error) {
    throw toNodeError(this.getNode(), error);
  }
}

/** Fields that can be cleared: all but the email, the subscription and what the service sets by itself. */
const CLEARABLE_BUILT_IN = ['userId', 'firstName', 'lastName', 'source'];

/** Contact fields whose value can be removed. */
export async function getClearableContactFields(
  this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
  try {
    const { api } = await openSession(this, EDITOR_LIMITS);
    const custom = (await api.properties.list({ list: 'custom' }))
      .filter(({ key }) => propertyNameProblem(key) === undefined)
      .map(({ key, label }) => ({ name: label ?? key, value: key }))
      .sort(byName);
    const builtIn = CLEARABLE_BUILT_IN.map((key) => ({ name: BUILT_IN_LABELS[key] ?? key, value: key }));
    return [...builtIn, ...custom];
  } catch (error) {
    throw toNodeError(this.getNode(), error);
  }
}

function byName(a: INodePropertyOptions, b: INodePropertyOptions): number {
  return a.name.localeCompare(b.name);
}
