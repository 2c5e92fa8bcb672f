import * as pulumi from '@pulumi/pulumi';
import type { ContactSchema, ValueOf } from 'audience-core';
import { afterProperties } from './declared-properties.js';
import { answerUndeclared, given } from './inputs.js';
import { encodeDate } from './properties.js';
import provider from './providers/contact.js';

/** Value of a custom property. A `Date` is sent as Unix seconds; `null` clears the property. */
export type ContactPropertyValue = string | number | boolean | Date | null;

/** Custom properties of a contact, by name: any, or those of a schema with their types. */
export type ContactPropertyValues<Schema extends ContactSchema = ContactSchema> = string extends keyof Schema
  ? Record<string, pulumi.Input<ContactPropertyValue>>
  : { [Name in keyof Schema]?: pulumi.Input<ValueOf<Schema[Name]> | null> };

/** An event that creates a contact which does not exist. */
export interface ContactCreationEvent {
  /** Name of the event. It triggers the automations that match it. */
  eventName: pulumi.Input<string>;
  /** Variables for the emails of those automations. */
  eventProperties?: pulumi.Input<Record<string, pulumi.Input<string | number | boolean | Date>>>;
}

/** Inputs of a {@link Contact}. What is not declared is left alone; what is removed is cleared. */
export interface ContactArgs<Schema extends ContactSchema = ContactSchema> {
  /** Email address. To change it, the contact needs a `userId`. One of the two is required. */
  email?: pulumi.Input<string>;
  /** Your own identifier of the user. */
  userId?: pulumi.Input<string>;
  firstName?: pulumi.Input<string>;
  lastName?: pulumi.Input<string>;
  /** Origin of the contact. */
  source?: pulumi.Input<string>;
  /** Only `false`: nobody but the contact can subscribe again. */
  subscribed?: pulumi.Input<false>;
  /** Membership in subscription groups, by group id. Groups that are not named are left alone. */
  subscriptionGroups?: pulumi.Input<Record<string, pulumi.Input<boolean>>>;
  /** Values of custom properties. */
  properties?: pulumi.Input<ContactPropertyValues<Schema>>;
  /** Sends this event when the contact does not exist yet: the interface has no other way to create one. */
  createWithEvent?: pulumi.Input<ContactCreationEvent>;
  /**
   * What is done when the contact leaves the program: `retain` (default) leaves it as it is, `unsubscribe`
   * unsubscribes it, `clear` clears the fields that were declared. The service never deletes a contact.
   */
  onDelete?: pulumi.Input<'retain' | 'unsubscribe' | 'clear'>;
}

/**
 * A contact of the audience (interface: PUT /v1/contacts/{identifier}). A contact that exists is taken over: what
 * is declared is set, all else stays. The resource's `id` is the service's contact id.
 */
export class Contact<Schema extends ContactSchema = ContactSchema> extends pulumi.dynamic.Resource {
  declare readonly email: pulumi.Output<string | undefined>;
  declare readonly userId: pulumi.Output<string | undefined>;
  declare readonly firstName: pulumi.Output<string | undefined>;
  declare readonly lastName: pulumi.Output<string | undefined>;
  declare readonly source: pulumi.Output<string | undefined>;
  declare readonly subscribed: pulumi.Output<false | undefined>;
  declare readonly subscriptionGroups: pulumi.Output<Record<string, boolean> | undefined>;
  /** Declared custom properties; dates are Unix seconds. */
  declare readonly properties: pulumi.Output<Record<string, string | number | boolean | null> | undefined>;

  constructor(name: string, args: ContactArgs<Schema>, opts?: pulumi.CustomResourceOptions) {
    const { properties, createWithEvent } = args;
    const names = isPlainObject(properties) ? Object.keys(properties) : [];
    const inputs = given({
      ...args,
      properties: withDates(properties),
      createWithEvent: withDates(createWithEvent),
    });
    super(provider, name, inputs, afterProperties(names, opts), undefined, 'Contact');
  }
}

answerUndeclared(Contact.prototype, [
  'email',
  'userId',
  'firstName',
  'lastName',
  'source',
  'subscribed',
  'subscriptionGroups',
  'properties',
]);

/** A value in the form in which dates survive the engine, however deep in outputs, promises and objects. */
export function withDates(value: unknown): unknown {
  if (value instanceof Date) return encodeDate(value);
  if (pulumi.Output.isInstance(value)) return value.apply(withDates);
  if (value instanceof Promise) return value.then(withDates);
  if (Array.isArray(value)) return value.map(withDates);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withDates(inner)]));
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Promise) &&
    !(value instanceof Date) &&
    !pulumi.Output.isInstance(value) &&
    !pulumi.Resource.isInstance(value)
  );
}
