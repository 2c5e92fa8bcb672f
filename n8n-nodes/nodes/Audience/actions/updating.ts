import type { IDataObject } from 'n8n-workflow';
import type { Call, Item } from './operation.js';

/**
 * The last step of an operation that changes a contact: what an earlier try of the run has carried out is not done again.
 *
 * @param change all that tells this change from others.
 * @param output of one that an earlier try has carried out.
 */
export function updatingCall(
  { keys, parameters, noteSentBefore, isNewlySet }: Item,
  change: readonly unknown[],
  output: IDataObject,
  update: () => Promise<IDataObject>,
): Call {
  const name = keys.nameOf(parameters.itemIndex, change);
  return async () => {
    // Where an older change of the contact came after it, it is made again: the newer one is to win.
    if (keys.carriedOut.has(name) && !isNewlySet()) {
      noteSentBefore();
      return [output];
    }
    const updated = await update();
    keys.carriedOut.add(name);
    return [updated];
  };
}
