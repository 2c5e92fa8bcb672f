import * as pulumi from '@pulumi/pulumi';
import type { Contact } from 'audience-core';
import { call } from './client.js';

/** Which contact to read: by email or by userId. */
export type GetContactArgs =
  | { readonly email: string; readonly userId?: undefined }
  | { readonly userId: string; readonly email?: undefined };

/** The same, with values that other resources may give. */
export type GetContactOutputArgs =
  | { readonly email: pulumi.Input<string>; readonly userId?: undefined }
  | { readonly userId: pulumi.Input<string>; readonly email?: undefined };

/**
 * A contact as the service has it (interface: GET /v1/contacts/{identifier}).
 *
 * @throws pulumi.RunError when there is none, or the service cannot be read.
 */
export function getContact({ email, userId }: GetContactArgs): Promise<Contact> {
  return call((client) => client.contacts.get(email ?? userId));
}

/** As {@link getContact}, with Outputs as arguments. */
export function getContactOutput({ email, userId }: GetContactOutputArgs): pulumi.Output<Contact> {
  const read = (identifier: string) => call((client) => client.contacts.get(identifier));
  return email === undefined ? pulumi.output(userId).apply(read) : pulumi.output(email).apply(read);
}
