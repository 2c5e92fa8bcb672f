import { isDeepStrictEqual } from 'node:util';
import { DiffResponse, PropertyDiff } from '@pulumi/pulumi/proto/provider_pb.js';
import type { Raw } from '../resources/raw.js';

const { Kind } = PropertyDiff;
const { DIFF_NONE, DIFF_SOME } = DiffResponse.DiffChanges;

/**
 * The inputs that differ.
 *
 * @param replaces inputs whose change replaces the resource.
 * @param changes whether there is anything to do.
 */
export function diffResponse(
  olds: Raw,
  news: Raw,
  replaces: readonly string[],
  changes: boolean,
): DiffResponse {
  const inputs = Object.keys({ ...olds, ...news }).filter(
    (name) => !isDeepStrictEqual(olds[name], news[name]),
  );
  const response = new DiffResponse()
    .setChanges(changes ? DIFF_SOME : DIFF_NONE)
    .setReplacesList([...replaces])
    .setDiffsList(inputs)
    .setHasdetaileddiff(inputs.length > 0);
  for (const name of inputs) {
    const change = olds[name] === undefined ? 'ADD' : news[name] === undefined ? 'DELETE' : 'UPDATE';
    const kind = replaces.includes(name) ? Kind[`${change}_REPLACE`] : Kind[change];
    response.getDetaileddiffMap().set(name, new PropertyDiff().setKind(kind).setInputdiff(true));
  }
  return response;
}
