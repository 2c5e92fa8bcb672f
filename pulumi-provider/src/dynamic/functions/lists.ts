import * as pulumi from '@pulumi/pulumi';
import type { ContactProperty, SubscriptionGroup, TransactionalEmail } from 'audience-core';
import { call } from './client.js';
import { functions } from '../../functions/registry.js';

/**
 * Contact properties (interface: GET /v1/contacts/properties).
 *
 * @param args `list`: `all` (unless given), or `custom` for those that people made.
 * @throws pulumi.RunError when the service cannot be read.
 */
export function getContactProperties(
  args: { readonly list?: 'all' | 'custom' } = {},
): Promise<ContactProperty[]> {
  return call((client) => functions.getContactProperties.read(args, client));
}

/** As {@link getContactProperties}, with Outputs as arguments. */
export function getContactPropertiesOutput(
  args: { readonly list?: pulumi.Input<'all' | 'custom'> } = {},
): pulumi.Output<ContactProperty[]> {
  return pulumi.output(args).apply(getContactProperties);
}

/**
 * The contact property of a name.
 *
 * @throws pulumi.RunError that lists what there is when there is none.
 */
export function getContactProperty(args: { readonly name: string }): Promise<ContactProperty> {
  return call((client) => functions.getContactProperty.read(args, client));
}

/** As {@link getContactProperty}, with an Output as the name. */
export function getContactPropertyOutput(args: {
  readonly name: pulumi.Input<string>;
}): pulumi.Output<ContactProperty> {
  return pulumi.output(args).apply(getContactProperty);
}

/**
 * Subscription groups (interface: GET /v1/subscription-groups).
 *
 * @throws pulumi.RunError when the service cannot be read.
 */
export function getSubscriptionGroups(): Promise<SubscriptionGroup[]> {
  return call((client) => functions.getSubscriptionGroups.read({}, client));
}

/** As {@link getSubscriptionGroups}, as an Output. */
export function getSubscriptionGroupsOutput(): pulumi.Output<SubscriptionGroup[]> {
  return pulumi.output(undefined).apply(() => getSubscriptionGroups());
}

/**
 * The subscription group of a name.
 *
 * @throws pulumi.RunError that lists what there is when the name is missing or double.
 */
export function getSubscriptionGroup(args: { readonly name: string }): Promise<SubscriptionGroup> {
  return call((client) => functions.getSubscriptionGroup.read(args, client));
}

/** As {@link getSubscriptionGroup}, with an Output as the name. */
export function getSubscriptionGroupOutput(args: {
  readonly name: pulumi.Input<string>;
}): pulumi.Output<SubscriptionGroup> {
  return pulumi.output(args).apply(getSubscriptionGroup);
}

/**
 * All transactional email designs (interface: GET /v1/transactional).
 *
 * @throws pulumi.RunError when the service cannot be read.
 */
export function getTransactionalEmails(): Promise<TransactionalEmail[]> {
  return call((client) => functions.getTransactionalEmails.read({}, client));
}

/** As {@link getTransactionalEmails}, as an Output. */
export function getTransactionalEmailsOutput(): pulumi.Output<TransactionalEmail[]> {
  return pulumi.output(undefined).apply(() => getTransactionalEmails());
}

/**
 * The transactional email design of a name.
 *
 * @throws pulumi.RunError that lists what there is when the name is missing or double.
 */
export function getTransactionalEmail(args: { readonly name: string }): Promise<TransactionalEmail> {
  return call((client) => functions.getTransactionalEmail.read(args, client));
}

/** As {@link getTransactionalEmail}, with an Output as the name. */
export function getTransactionalEmailOutput(args: {
  readonly name: pulumi.Input<string>;
}): pulumi.Output<TransactionalEmail> {
  return pulumi.output(args).apply(getTransactionalEmail);
}
