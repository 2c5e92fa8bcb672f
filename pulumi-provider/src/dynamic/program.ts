import * as pulumi from '@pulumi/pulumi';
import type { AudienceClient } from 'audience-core';
import { DECLARED_BY, declaredBy } from '../resources/declarations.js';

interface Program {
  readonly properties: Map<string, pulumi.Resource>;
  readonly unnamed: pulumi.Resource[];
  declarations: number;
  client: AudienceClient | undefined;
}

const programs = new WeakMap<object, Program>();
const OUTSIDE = {};

/** The running program: one process can have several, each with its own stack. */
export function currentProgram(): Program {
  const stack = pulumi.runtime.getStackResource() ?? OUTSIDE;
  const known = programs.get(stack);
  if (known !== undefined) return known;
  const program = { properties: new Map(), unnamed: [], declarations: 0, client: undefined };
  programs.set(stack, program);
  return program;
}

export function declaration(name: string): Record<string, string> {
  const program = currentProgram();
  program.declarations += 1;
  return { [DECLARED_BY]: declaredBy(name, program.declarations) };
}

/** Remembers a property, so that contacts that use it wait for it. */
export function rememberProperty(name: unknown, resource: pulumi.Resource): void {
  const { properties, unnamed } = currentProgram();
  if (typeof name === 'string') properties.set(name, resource);
  else unnamed.push(resource);
}

/** Options that make a resource wait for the declared properties of these names (default: for all). */
export function afterProperties(
  opts: pulumi.CustomResourceOptions | undefined,
  names?: readonly string[],
): pulumi.CustomResourceOptions | undefined {
  const { properties, unnamed } = currentProgram();
  if (names?.length === 0) return opts;
  const named = [...properties].filter(([name]) => names?.includes(name) ?? true);
  const needed = [...named.map(([, property]) => property), ...unnamed];
  if (needed.length === 0) return opts;
  const given = opts?.dependsOn;
  if (given === undefined) return { ...opts, dependsOn: needed };
  const late: pulumi.Output<unknown> = pulumi.output<unknown>(given);
  return { ...opts, dependsOn: late.apply((resources) => [...resourcesOf(resources), ...needed]) };
}

function resourcesOf(value: unknown): pulumi.Resource[] {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((item): item is pulumi.Resource => pulumi.Resource.isInstance(item));
}

/** An error without a stack: Pulumi prints the stack of an error that is not awaited. */
export function plainError(message: string): pulumi.RunError {
  const error = new pulumi.RunError(message);
  error.stack = message;
  return error;
}

/** Module of the type tokens: `pulumi-nodejs:dynamic/audience:Contact`. */
export const MODULE = 'audience';
