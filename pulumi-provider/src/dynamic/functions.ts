import * as pulumi from '@pulumi/pulumi';
import { createClient } from '../engine/connection.js';
import { isForPeople } from '../engine/calls.js';
import { functions, invoke, type DataFunction } from '../functions/registry.js';
import { currentProgram, plainError } from './program.js';

/** Reads the service. @throws pulumi.RunError when it cannot be read, or has no such thing. */
export type Get<Args, Result> = (
  ...args: Partial<Args> extends Args | Record<string, undefined> ? [args?: Args] : [args: Args]
) => Promise<Result>;

/** A contact with its current data, by `email` or by `userId` (interface: GET /v1/contacts/{identifier}). */
export const getContact = get(functions.getContact);

/** Contact properties: `all` (default), or the `custom` ones (interface: GET /v1/contacts/properties). */
export const getContactProperties = get(functions.getContactProperties);

/** The contact property of a name. It is an error if none has it. */
export const getContactProperty = get(functions.getContactProperty);

/** Subscription groups (interface: GET /v1/subscription-groups). */
export const getSubscriptionGroups = get(functions.getSubscriptionGroups);

/** The subscription group of a name. It is an error if none or several have it. */
export const getSubscriptionGroup = get(functions.getSubscriptionGroup);

/** All transactional email designs (interface: GET /v1/transactional). */
export const getTransactionalEmails = get(functions.getTransactionalEmails);

/** The transactional email design of a name. It is an error if none or several have it. */
export const getTransactionalEmail = get(functions.getTransactionalEmail);

function get<Args, Result>(one: DataFunction<Args, Result>): Get<Args, Result> {
  return async (given?: Args) => {
    try {
      const program = currentProgram();
      program.client ??= createClient((name) => new pulumi.Config('audience').get(name));
      return await invoke(one, given ?? {}, program.client);
    } catch (error) {
      throw isForPeople(error) ? plainError(error.message) : error;
    }
  };
}
