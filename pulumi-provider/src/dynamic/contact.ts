import * as pulumi from '@pulumi/pulumi';
import type { ContactUpdate } from 'audience-core';
import { fieldsSetBy } from 'audience-core/internal';
import { inputsOf } from './inputs.js';
import { afterProperties, MODULE } from './program.js';
import provider from './providers/contact.js';

/** Value of a custom property. A `Date` is sent as Unix seconds; `null` clears the property. */
export type ContactPropertyValue = string | number | boolean | Date | null;

/** An event that creates a contact which does not exist. */
export interface ContactCreationEvent {
  /** Name of the event. It triggers the automations that match it. */
  eventName: pulumi.Input<string>;
  /** Variables for the emails of those automations. */
  eventProperties?: pulumi.Input<Record<string, pulumi.Input<string | number | boolean | Date>>>;
}

// eslint-disable-next-line @typescript-eslint/no-generated-empty-object-type -- a contact without custom properties
type StandardFields = ContactUpdate<Record<never, never>>;

/** Fields that every contact has, as a program declares them. */
export type ContactFieldArgs = {
  [Name in keyof StandardFields]:
    pulumi.Input<Declarable<NonNullable<StandardFields[Name]>> | Clearing<Name>> | undefined;
};

/** `null`, where an update clears the field. An identifier is not cleared. */
type Clearing<Name extends keyof StandardFields> = Name extends 'email' | 'userId'
  ? never
  : Extract<StandardFields[Name], null>;

/** A map of values may hold Outputs. A date may be ISO 8601 text. */
type Declarable<Value> = Value extends Date
  ? Date | string
  : Value extends Readonly<Record<string, infer Inner>>
    ? Record<string, pulumi.Input<Inner>>
    : Value;

/** Inputs of a {@link Contact}. What is not declared keeps its value; `null` clears it. */
export interface ContactArgs extends ContactFieldArgs {
  /** Values of custom properties. */
  properties?: pulumi.Input<Record<string, pulumi.Input<ContactPropertyValue>>>;
  /** Names of fields and properties to clear, at every run: the same as `null` for each. */
  clear?: pulumi.Input<pulumi.Input<string>[]>;
  /** Sends this event when the contact does not exist yet: the API has no call that only creates one. */
  createWithEvent?: pulumi.Input<ContactCreationEvent>;
}

/** Declared fields as Outputs. */
export type ContactOutputs = {
  readonly [Name in keyof StandardFields]-?: pulumi.Output<Exclude<StandardFields[Name], Date | null>>;
};

// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- Pulumi sets the outputs
export interface Contact extends ContactOutputs {
  /** Declared custom properties; dates are Unix seconds. */
  readonly properties: pulumi.Output<Readonly<Record<string, string | number | boolean | null>> | undefined>;
}

/** The class has only outputs that are named here. */
const ABSENT = Object.fromEntries(
  [...fieldsSetBy('updateContact'), 'properties'].map((name) => [name, undefined]),
);

/** A contact: declared values are written, others are not sent. The resource's `id` is the service's contact id. */
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- Pulumi sets the outputs
export class Contact extends pulumi.dynamic.Resource {
  constructor(name: string, args: ContactArgs, opts?: pulumi.CustomResourceOptions) {
    const inputs = { ...ABSENT, ...inputsOf(name, args) };
    super(provider, name, inputs, afterProperties(opts), MODULE, 'Contact');
  }
}
