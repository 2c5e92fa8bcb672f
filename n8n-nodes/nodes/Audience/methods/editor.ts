import { isRecord } from 'audience-core/internal';
import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { toNodeError } from '../node-error.js';
import { openSession } from '../service/session.js';
import type { Session } from '../service/session.js';

/**
 * Asks the service something for a person in the editor.
 *
 * @throws NodeApiError, NodeOperationError with a sentence for that person.
 */
export async function inEditor<Result>(
  context: ILoadOptionsFunctions,
  ask: (session: Session) => Promise<Result>,
): Promise<Result> {
  try {
    return await ask(await openSession(context));
  } catch (error) {
    throw toNodeError(context.getNode(), error);
  }
}

/** Id of the email design that is chosen in the form; empty where there is none yet. */
export function chosenDesign(context: ILoadOptionsFunctions): string {
  const chosen: unknown = context.getNodeParameter('transactionalId', '');
  const value = isRecord(chosen) ? chosen['value'] : chosen;
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}
