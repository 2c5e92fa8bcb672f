import * as pulumi from '@pulumi/pulumi';
import type { AudienceClient, ContactProperty, SubscriptionGroup, TransactionalEmail } from 'audience-core';
import { byName, call } from './client.js';

/**
 * Contact properties (interface: GET /v1/contacts/properties).
 *
 * @param args `list`: `all` (unless given), or `custom` for those that people made.
 * @throws pulumi.RunError when the service cannot be read.
 */
export function getContactProperties(
  args: { readonly list?: 'all' | 'custom' } = {},
): Promise<ContactProperty[]> {
  return call((client) => client.properties.list(args));
}

/** As {@link getContactProperties}, with Outputs as arguments. */
export function getContactPropertiesOutput(
  args: { readonly list?: pulumi.Input<'all' | 'custom'> } = {},
): pulumi.Output<ContactProperty[]> {
  return pulumi.output(args.list).apply((list) => getContactProperties(list === undefined ? {} : { list }));
}

/**
 * Subscription groups (interface: GET /v1/subscription-groups).
 *
 * @throws pulumi.RunError when the service cannot be read.
 */
export function getSubscriptionGroups(): Promise<SubscriptionGroup[]> {
  return call((client) => client.subscriptionGroups.list());
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
export function getSubscriptionGroup({ name }: { readonly name: string }): Promise<SubscriptionGroup> {
  return call(async (client) => byName('subscription group', name, await client.subscriptionGroups.list()));
}

/** As {@link getSubscriptionGroup}, with an Output as the name. */
export function getSubscriptionGroupOutput(args: {
  readonly name: pulumi.Input<string>;
}): pulumi.Output<SubscriptionGroup> {
  return pulumi.output(args.name).apply((name) => getSubscriptionGroup({ name }));
}

/**
 * All transactional email designs (interface: GET /v1/transactional).
 *
 * @throws pulumi.RunError when the service cannot be read.
 */
export function getTransactionalEmails(): Promise<TransactionalEmail[]> {
  return call(allDesigns);
}

async function allDesigns(client: AudienceClient): Promise<TransactionalEmail[]> {
  const designs: TransactionalEmail[] = [];
  for await (const design of client.transactional.iterate()) designs.push(design);
  return designs;
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
export function getTransactionalEmail({ name }: { readonly name: string }): Promise<TransactionalEmail> {
  return call(async (client) => byName('transactional email', name, await allDesigns(client)));
}

/** As {@link getTransactionalEmail}, with an Output as the name. */
export function getTransactionalEmailOutput(args: {
  readonly name: pulumi.Input<string>;
}): pulumi.Output<TransactionalEmail> {
  return pulumi.output(args.name).apply((name) => getTransactionalEmail({ name }));
}
