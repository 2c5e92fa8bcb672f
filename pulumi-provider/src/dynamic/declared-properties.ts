import * as pulumi from '@pulumi/pulumi';

/** Contact properties that this program has declared so far, by name. */
const declared = new Map<string, pulumi.Resource>();

/** Remembers a property, so that contacts that use it wait for it. */
export function declareProperty(name: string, resource: pulumi.Resource): void {
  declared.set(name, resource);
}

/** Options that make a resource wait for the declared properties among `names`. */
export function afterProperties(
  names: readonly string[],
  opts: pulumi.CustomResourceOptions | undefined,
): pulumi.CustomResourceOptions | undefined {
  return after(
    names.flatMap((name) => declared.get(name) ?? []),
    opts,
  );
}

/** Options that make a resource wait for all properties declared so far. */
export function afterAllProperties(
  opts: pulumi.CustomResourceOptions | undefined,
): pulumi.CustomResourceOptions | undefined {
  return after([...declared.values()], opts);
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
