import type { IDataObject } from 'n8n-workflow';
import { toOutput } from '../../helpers/output.js';
import { listFields } from '../common.descriptions.js';
import type { Item, ListOperation } from '../operation.js';

async function list({ session, signal }: Item, limit: number | undefined): Promise<IDataObject[]> {
  const groups = await session.api.subscriptionGroups.list({ signal });
  return groups.slice(0, limit).map(toOutput);
}

/** Lists the subscription groups. */
export const getAll: ListOperation = { kind: 'list', description: listFields('subscriptionGroup'), list };
