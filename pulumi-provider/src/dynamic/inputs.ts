import * as pulumi from '@pulumi/pulumi';

/** Inputs without those that are `undefined`: each that is passed costs the program time, declared or not. */
export function given(inputs: Readonly<Record<string, unknown>>): pulumi.Inputs {
  return Object.fromEntries(Object.entries(inputs).filter(([, value]) => value !== undefined));
}

/**
 * Makes a resource's class answer `undefined`, as an Output, for fields that a program did not declare. Passing them
 * as undefined inputs would do the same, at several promises with a stack trace each, per field and resource.
 */
export function answerUndeclared(prototype: object, fields: readonly string[]): void {
  for (const field of fields) {
    Object.defineProperty(prototype, field, {
      configurable: true,
      get: () => pulumi.output(undefined),
      set(this: object, value: unknown) {
        Object.defineProperty(this, field, { value, writable: true, enumerable: true, configurable: true });
      },
    });
  }
}
