import type { IDataObject } from 'n8n-workflow';
import { toOutput } from '../../helpers/output.js';
import { listFields } from '../common.descriptions.js';
import type { Item, ListOperation } from '../operation.js';

async function list({ session, signal }: Item, limit: number | undefined): Promise<IDataObject[]> {
  const emails: IDataObject[] = [];
  for await (const email of session.api.transactional.iterate({ limit, signal }))
    emails.push(toOutput(email));
  return emails;
}

/** Lists the transactional email designs. */
export const getAll: ListOperation = { kind: 'list', description: listFields('email'), list };
