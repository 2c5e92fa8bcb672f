import type { SendResult } from 'audience-core';
import type { IDataObject } from 'n8n-workflow';

/** A record of the service, which is JSON, as an output item's data. */
export function toOutput(record: object): IDataObject {
  return { ...record };
}

/**
 * The output of an operation that sends.
 *
 * @param what names the email or event.
 */
export function sendingOutput(what: IDataObject, { deduplicated }: SendResult): IDataObject[] {
  return [{ success: true, ...what, ...(deduplicated ? { deduplicated } : {}) }];
}
