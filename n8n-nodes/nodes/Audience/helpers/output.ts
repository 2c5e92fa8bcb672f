import type { IDataObject } from 'n8n-workflow';

/** A record of the service, which is JSON, as an output item's data. */
export function toOutput(record: object): IDataObject {
  return { ...record };
}
