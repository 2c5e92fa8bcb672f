import type { ContactUpdate } from 'audience-core';
import type { IDataObject } from 'n8n-workflow';
import { fieldsIn, onlyFields } from '../helpers/contact-changes.js';
import type { Call, Item } from './operation.js';

/**
 * The last step of an operation that changes a contact: what an earlier try of the run has carried out is not done
 * again, but for fields that an older item has set since.
 *
 * @param output of one that an earlier try has carried out.
 */
export function updatingCall(
  { keys, parameters, contactNames, noteSentBefore }: Item,
  { identifier, body }: { readonly identifier: string; readonly body: ContactUpdate },
  output: IDataObject,
  update: (body: ContactUpdate) => Promise<IDataObject>,
): Call {
  const change = keys.nameOf(parameters.itemIndex, [identifier, body]);
  return async () => {
    const names = contactNames();
    const standing = keys.changes.begin(names, change, fieldsIn(body));
    const again = standing.state === 'done' ? onlyFields(body, standing.again) : body;
    if (standing.state === 'done') noteSentBefore();
    const updated = Object.keys(again).length === 0 ? output : await update(again);
    keys.changes.end(names, change);
    return [updated];
  };
}
