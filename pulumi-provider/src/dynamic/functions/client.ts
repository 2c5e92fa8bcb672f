import * as pulumi from '@pulumi/pulumi';
import type { AudienceClient } from 'audience-core';
import { createClient } from '../../engine/connection.js';
import { isForPeople } from '../../engine/errors.js';
import { currentProgram, plainError } from '../program.js';

/**
 * Makes a call to the service that the stack's configuration names, or the environment.
 *
 * @throws pulumi.RunError for what a person can mend: it is shown without a stack trace.
 */
export async function call<Result>(work: (client: AudienceClient) => Promise<Result>): Promise<Result> {
  try {
    const program = currentProgram();
    program.client ??= createClient((name) => new pulumi.Config('audience').get(name));
    return await work(program.client);
  } catch (error) {
    if (isForPeople(error)) throw plainError(error.message);
    throw error;
  }
}
