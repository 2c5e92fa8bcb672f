import * as pulumi from '@pulumi/pulumi';
import type { Contact } from 'audience-core';
import { call } from './client.js';
import { functions } from '../../functions/registry.js';
import type { ContactLookup } from '../../functions/registry.js';

/** Which contact to read: by email or by userId. */
export type GetContactArgs = ContactLookup;

/** The same, with values that other resources may give. */
export type GetContactOutputArgs =
  | { readonly email: pulumi.Input<string>; readonly userId?: undefined }
  | { readonly userId: pulumi.Input<string>; readonly email?: undefined };

/**
 * A contact as the service has it (interface: GET /v1/contacts/{identifier}).
 *
 * @throws pulumi.RunError when there is none, or the service cannot be read.
 */
export function getContact(args: GetContactArgs): Promise<Contact> {
  return call((client) => functions.getContact.read(args, client));
}

/** As {@link getContact}, with Outputs as arguments. */
export function getContactOutput(args: GetContactOutputArgs): pulumi.Output<Contact> {
  return pulumi.output(args).apply(getContact);
}
