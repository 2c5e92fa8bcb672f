import { isDeepStrictEqual } from 'node:util';
import type { Struct } from 'google-protobuf/google/protobuf/struct_pb.js';
import { DiffResponse, PropertyDiff } from '@pulumi/pulumi/proto/provider_pb.js';
import { fromStruct } from './struct.js';

const { Kind } = PropertyDiff;
const { DIFF_NONE, DIFF_SOME } = DiffResponse.DiffChanges;

/**
 * The inputs that differ.
 *
 * @param replaces inputs whose change replaces the resource.
 * @param changes whether there is anything to do.
 */
export function diffResponse(
  oldInputs: Struct | undefined,
  newInputs: Struct | undefined,
  replaces: readonly string[],
  changes: boolean,
): DiffResponse {
  if (!changes) return new DiffResponse().setChanges(DIFF_NONE);
  const [olds, news] = [fromStruct(oldInputs), fromStruct(newInputs)];
  const inputs = Object.keys({ ...olds, ...news }).filter(
    (name) => !isDeepStrictEqual(olds[name], news[name]),
  );
  const response = new DiffResponse()
    .setChanges(DIFF_SOME)
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
