import { consentOfHeader } from 'audience-core/internal';
import { InputProblem } from '../problem.js';
import type { Parameters } from './parameters.js';

/** By the items of a run: whether a column is about consent. Most items have the same columns. */
const known = new WeakMap<object, Map<string, boolean>>();

/**
 * Nothing of an input that is mapped automatically is sent while a column may say who wants no mail, and nobody has
 * said what it means. Its header decides: the words of its cells may be states of orders.
 *
 * @param columns that are no fields of a contact.
 * @throws InputProblem with the names of such columns.
 */
export function refuseConsentColumns({ context }: Parameters, columns: readonly string[]): void {
  const inputs = context.getInputData();
  const ofInputs = known.get(inputs) ?? new Map<string, boolean>();
  known.set(inputs, ofInputs);
  const names = columns.filter((column) => {
    const isAboutConsent = ofInputs.get(column) ?? consentOfHeader(column) !== undefined;
    ofInputs.set(column, isAboutConsent);
    return isAboutConsent;
  });
  if (names.length > 0) throw new InputProblem({ code: 'consent-column', names });
}
