import { AudienceError } from 'audience-core';
import type { ContactUpdate } from 'audience-core';
import type { IDataObject } from 'n8n-workflow';
import { onlyFields } from '../once-only/contact-changes.js';
import { MayBeDone } from '../helpers/errors.js';
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
  const { itemIndex } = parameters;
  const change = keys.nameOf(itemIndex, [identifier, body]);
  keys.changes.expect(contactNames(), change, body, itemIndex);
  return async () => {
    const names = contactNames();
    const { state, again, undo } = keys.changes.begin(names, change, body, itemIndex);
    const changed = state === 'done' ? onlyFields(body, again) : body;
    if (state === 'done') noteSentBefore(true);
    const updated =
      state === 'done' && Object.keys(changed).length === 0
        ? output
        : await update(changed).catch((error: unknown) => {
            if (error instanceof AudienceError && !error.unclear) {
              undo();
              throw state === 'unclear' ? new MayBeDone(error) : error;
            }
            keys.tries?.noteUnclear(itemIndex, { error });
            throw error;
          });
    keys.changes.end(names, change, again, itemIndex);
    return [updated];
  };
}
