import * as pulumi from '@pulumi/pulumi';
import { AudienceError } from 'audience-core';
import type { AudienceClient } from 'audience-core';
import { createClient } from '../dynamic/connection.js';
import { currentProgram, plainError } from '../dynamic/program.js';
import { ResourceError } from '../resources/host.js';

/**
 * Makes a call to the service that the stack's configuration names, or the environment.
 *
 * @throws pulumi.RunError for what a person can mend: it is shown without a stack trace.
 */
export async function call<Result>(work: (client: AudienceClient) => Promise<Result>): Promise<Result> {
  try {
    const program = currentProgram();
    program.client ??= createClient((key) =>
      new pulumi.Config('audience').get(key.replace(/^audience:/, '')),
    );
    return await work(program.client);
  } catch (error) {
    if (error instanceof AudienceError || error instanceof ResourceError) throw plainError(error.message);
    throw error;
  }
}

/**
 * The one thing of that name.
 *
 * @throws ResourceError that lists what there is when the name is missing or double.
 */
export function byName<Thing extends { readonly id: string; readonly name: string }>(
  kind: string,
  name: string,
  things: readonly Thing[],
): Thing {
  const [found, ...others] = things.filter((thing) => thing.name === name);
  if (found !== undefined && others.length === 0) return found;
  if (found !== undefined) {
    const ids = [found, ...others].map(({ id }) => `'${id}'`).join(', ');
    throw new ResourceError(
      `There are ${others.length + 1} ${kind}s of the name '${name}', with the ids ${ids}. Give them different names, or use an id.`,
    );
  }
  const names = things.map((thing) => `'${thing.name}'`).join(', ');
  throw new ResourceError(
    `There is no ${kind} of the name '${name}'. There ${things.length === 0 ? 'are none' : `are: ${names}`}.`,
  );
}
