import * as pulumi from '@pulumi/pulumi';
import type { PropertyType } from 'audience-core';
import { inputsOf } from './inputs.js';
import { currentProgram, MODULE } from './program.js';
import provider from './providers/contact-property.js';

/** Inputs of a {@link ContactProperty}. */
export interface ContactPropertyArgs {
  /** camelCase name, neither reserved nor built in. A new name is a new property: the old one stays. */
  name: pulumi.Input<string>;
  /** `string`, `number`, `boolean` or `date`. It can never be changed. */
  type: pulumi.Input<PropertyType>;
}

/** A custom contact property; an existing one of this type is adopted. The API has no call that deletes one. */
export class ContactProperty extends pulumi.dynamic.Resource {
  declare readonly name: pulumi.Output<string>;
  declare readonly type: pulumi.Output<PropertyType>;

  constructor(name: string, args: ContactPropertyArgs, opts?: pulumi.CustomResourceOptions) {
    super(provider, name, inputsOf(name, args), opts, MODULE, 'ContactProperty');
    currentProgram().properties.push(this);
  }
}
