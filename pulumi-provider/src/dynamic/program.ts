import * as pulumi from '@pulumi/pulumi';
import type { AudienceClient } from 'audience-core';

interface Program {
  /** The properties that it has declared so far. */
  readonly properties: pulumi.Resource[];
  client?: AudienceClient;
}

const programs = new WeakMap<object, Program>();
const OUTSIDE = {};

/** The running program: one process can have several, each with its own stack. */
export function currentProgram(): Program {
  const stack = pulumi.runtime.getStackResource() ?? OUTSIDE;
  const program = programs.get(stack) ?? { properties: [] };
  programs.set(stack, program);
  return program;
}

/** Options that make a contact wait for the declared properties: it may have values of them. */
export function afterProperties(opts?: pulumi.CustomResourceOptions): pulumi.CustomResourceOptions {
  return pulumi.mergeOptions(opts, { dependsOn: [...currentProgram().properties] });
}

/** An error without a stack: Pulumi prints the stack of an error that is not awaited. */
export function plainError(message: string): pulumi.RunError {
  const error = new pulumi.RunError(message);
  error.stack = message;
  return error;
}

/** Module of the type tokens: `pulumi-nodejs:dynamic/audience:Contact`. */
export const MODULE = 'audience';
