import * as pulumi from '@pulumi/pulumi';
import type { Contact, ContactProperty, SubscriptionGroup, TransactionalEmail } from 'audience-core';
import { wordIssue, readWith } from 'audience-core/internal';
import { createClient } from '../engine/connection.js';
import { isForPeople } from '../engine/errors.js';
import { functions } from '../functions/registry.js';
import type { DataFunction } from '../functions/registry.js';
import { ResourceError } from '../resources/errors.js';
import { problem } from '../messages.js';
import { currentProgram, plainError } from './program.js';

/** Reads the service. @throws pulumi.RunError when it cannot be read, or has no such thing. */
export type Get<Args, Result> = (...args: Arguments<Args>) => Promise<Result>;

/** The same with Outputs as arguments. */
export type GetOutput<Args, Result> = (
  ...args: Arguments<{ readonly [Name in keyof Args]: pulumi.Input<Args[Name]> }>
) => pulumi.Output<Result>;

type Arguments<Args> = Partial<Args> extends Args ? [args?: Args] : [args: Args];

/** Which contact to read: by email or by userId. */
export type GetContactArgs =
  | { readonly email: string; readonly userId?: undefined }
  | { readonly userId: string; readonly email?: undefined };

/** Which contact properties to list: `all` (default), or `custom` for those that are not built in. */
export interface GetContactPropertiesArgs {
  readonly list?: 'all' | 'custom';
}

/** The name to look for. It is an error if none or several have it. */
export interface GetByNameArgs {
  readonly name: string;
}

/** A contact as the service has it (interface: GET /v1/contacts/{identifier}). */
export const getContact: Get<GetContactArgs, Contact> = get(functions.getContact);
/** As {@link getContact}, with Outputs as arguments. */
export const getContactOutput: GetOutput<GetContactArgs, Contact> = late(functions.getContact);

/** Contact properties (interface: GET /v1/contacts/properties). */
export const getContactProperties: Get<GetContactPropertiesArgs, ContactProperty[]> = get(
  functions.getContactProperties,
);
/** As {@link getContactProperties}, with Outputs as arguments. */
export const getContactPropertiesOutput: GetOutput<GetContactPropertiesArgs, ContactProperty[]> = late(
  functions.getContactProperties,
);

/** The contact property of a name. */
export const getContactProperty: Get<GetByNameArgs, ContactProperty> = get(functions.getContactProperty);
/** As {@link getContactProperty}, with Outputs as arguments. */
export const getContactPropertyOutput: GetOutput<GetByNameArgs, ContactProperty> = late(
  functions.getContactProperty,
);

/** Subscription groups (interface: GET /v1/subscription-groups). */
export const getSubscriptionGroups: Get<undefined, SubscriptionGroup[]> = get(
  functions.getSubscriptionGroups,
);
/** As {@link getSubscriptionGroups}, with Outputs as arguments. */
export const getSubscriptionGroupsOutput: GetOutput<undefined, SubscriptionGroup[]> = late(
  functions.getSubscriptionGroups,
);

/** The subscription group of a name. */
export const getSubscriptionGroup: Get<GetByNameArgs, SubscriptionGroup> = get(
  functions.getSubscriptionGroup,
);
/** As {@link getSubscriptionGroup}, with Outputs as arguments. */
export const getSubscriptionGroupOutput: GetOutput<GetByNameArgs, SubscriptionGroup> = late(
  functions.getSubscriptionGroup,
);

/** All transactional email designs (interface: GET /v1/transactional). */
export const getTransactionalEmails: Get<undefined, TransactionalEmail[]> = get(
  functions.getTransactionalEmails,
);
/** As {@link getTransactionalEmails}, with Outputs as arguments. */
export const getTransactionalEmailsOutput: GetOutput<undefined, TransactionalEmail[]> = late(
  functions.getTransactionalEmails,
);

/** The transactional email design of a name. */
export const getTransactionalEmail: Get<GetByNameArgs, TransactionalEmail> = get(
  functions.getTransactionalEmail,
);
/** As {@link getTransactionalEmail}, with Outputs as arguments. */
export const getTransactionalEmailOutput: GetOutput<GetByNameArgs, TransactionalEmail> = late(
  functions.getTransactionalEmail,
);

function get<Args, Result>(one: DataFunction<Args, Result>): (given?: unknown) => Promise<Result> {
  return async (given = {}) => {
    try {
      const checked = readWith(one.args, given);
      if (!checked.ok)
        throw new ResourceError(
          problem('text', { text: checked.issues.map((issue) => wordIssue(issue)).join('; ') }),
        );
      const program = currentProgram();
      program.client ??= createClient((name) => new pulumi.Config('audience').get(name));
      return await one.read(checked.data, program.client);
    } catch (error) {
      throw isForPeople(error) ? plainError(error.message) : error;
    }
  };
}

function late<Args, Result>(one: DataFunction<Args, Result>): (given?: unknown) => pulumi.Output<Result> {
  return (given = {}) => {
    const known: pulumi.Output<unknown> = pulumi.output<unknown>(given);
    return known.apply(get(one));
  };
}
