import * as pulumi from '@pulumi/pulumi';
import type { AudienceClient } from 'audience-core';
import { DECLARED_BY, declaredBy } from '../resources/declarations.js';

interface Program {
  /** The declared properties by name, or by themselves where the name is not known yet. */
  readonly properties: Map<unknown, pulumi.Resource>;
  client?: AudienceClient;
}

const programs = new WeakMap<object, Program>();
const OUTSIDE = {};
let declarations = 0;

/** The running program: one process can have several, each with its own stack. */
export function currentProgram(): Program {
  const stack = pulumi.runtime.getStackResource() ?? OUTSIDE;
  const program = programs.get(stack) ?? { properties: new Map() };
  programs.set(stack, program);
  return program;
}

export function declaration(name: string): Record<string, string> {
  declarations += 1;
  return { [DECLARED_BY]: declaredBy(name, declarations) };
}

/** Options that make a resource wait for the declared properties of these names (default: for all). */
export function afterProperties(
  opts: pulumi.CustomResourceOptions | undefined,
  names?: readonly string[],
): pulumi.CustomResourceOptions | undefined {
  const isNeeded = (name: unknown): boolean => typeof name !== 'string' || (names?.includes(name) ?? true);
  const needed = [...currentProgram().properties].flatMap(([name, one]) => (isNeeded(name) ? one : []));
  return needed.length === 0 || names?.length === 0 ? opts : pulumi.mergeOptions(opts, { dependsOn: needed });
}

/** An error without a stack: Pulumi prints the stack of an error that is not awaited. */
export function plainError(message: string): pulumi.RunError {
  const error = new pulumi.RunError(message);
  error.stack = message;
  return error;
}

/** Module of the type tokens: `pulumi-nodejs:dynamic/audience:Contact`. */
export const MODULE = 'audience';
