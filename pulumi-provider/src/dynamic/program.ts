import * as pulumi from '@pulumi/pulumi';
import type { AudienceClient } from 'audience-core';
import type { Behaviour } from '../resources/behaviour.js';
import { DECLARED_BY, declaredBy } from '../resources/declarations.js';

/** What one program has declared so far. */
interface Program {
  /** Contact properties by name. */
  readonly properties: Map<string, pulumi.Resource>;
  /** Contact properties whose name is not known yet. */
  readonly unnamed: pulumi.Resource[];
  declarations: number;
  /** The service of its functions. */
  client: AudienceClient | undefined;
}

const programs = new WeakMap<object, Program>();
const OUTSIDE = {};

/** The program that runs: in one process there can be several, each with a stack of its own. */
export function currentProgram(): Program {
  const stack = pulumi.runtime.getStackResource() ?? OUTSIDE;
  const known = programs.get(stack);
  if (known !== undefined) return known;
  const program = { properties: new Map(), unnamed: [], declarations: 0, client: undefined };
  programs.set(stack, program);
  return program;
}

/** The input that tells who declares a resource. */
export function declaration(name: string): Record<string, string> {
  const program = currentProgram();
  program.declarations += 1;
  return { [DECLARED_BY]: declaredBy(program.declarations, name) };
}

/** Remembers a property, so that contacts that use it wait for it. */
export function rememberProperty(name: unknown, resource: pulumi.Resource): void {
  const { properties, unnamed } = currentProgram();
  if (typeof name === 'string') properties.set(name, resource);
  else unnamed.push(resource);
}

/** Options by which the engine keeps as secrets what the behaviour names as such. */
export function withSecrets(
  opts: pulumi.CustomResourceOptions | undefined,
  { secrets = [] }: Behaviour,
): pulumi.CustomResourceOptions {
  return { ...opts, additionalSecretOutputs: [...(opts?.additionalSecretOutputs ?? []), ...secrets] };
}

/** Options that make a resource wait for the declared properties among `names`. */
export function afterProperties(
  names: readonly string[],
  opts: pulumi.CustomResourceOptions | undefined,
): pulumi.CustomResourceOptions | undefined {
  const { properties, unnamed } = currentProgram();
  if (names.length === 0) return opts;
  return after([...names.flatMap((name) => properties.get(name) ?? []), ...unnamed], opts);
}

/** Options that make a resource wait for all properties declared so far. */
export function afterAllProperties(
  opts: pulumi.CustomResourceOptions | undefined,
): pulumi.CustomResourceOptions | undefined {
  const { properties, unnamed } = currentProgram();
  return after([...properties.values(), ...unnamed], opts);
}

function after(
  needed: readonly pulumi.Resource[],
  opts: pulumi.CustomResourceOptions | undefined,
): pulumi.CustomResourceOptions | undefined {
  if (needed.length === 0) return opts;
  const given = opts?.dependsOn;
  if (given === undefined) return { ...opts, dependsOn: [...needed] };
  if (Array.isArray(given)) return { ...opts, dependsOn: [...given, ...needed] };
  if (pulumi.Resource.isInstance(given)) return { ...opts, dependsOn: [given, ...needed] };
  const late: pulumi.Output<unknown> = pulumi.output<unknown>(given);
  const all = late.apply((resources) => [...resourcesOf(resources), ...needed]);
  return { ...opts, dependsOn: all };
}

function resourcesOf(value: unknown): pulumi.Resource[] {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((item): item is pulumi.Resource => pulumi.Resource.isInstance(item));
}

/** An error for people: of one that nobody awaits Pulumi prints the stack, so it has none. */
export function plainError(message: string): pulumi.RunError {
  const error = new pulumi.RunError(message);
  error.stack = message;
  return error;
}

/** Module of the type tokens: `pulumi-nodejs:dynamic/audience:Contact`. */
export const MODULE = 'audience';
