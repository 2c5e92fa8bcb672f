import { isDeepStrictEqual } from 'node:util';
import { isRecord } from 'audience-core/internal';
import { DiffResponse, PropertyDiff } from '@pulumi/pulumi/proto/provider_pb.js';
import type { Raw } from '../resources/raw.js';

const { Kind } = PropertyDiff;
const { DIFF_NONE, DIFF_SOME } = DiffResponse.DiffChanges;

/**
 * The inputs that differ, by path (`properties.plan`).
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
  const response = new DiffResponse().setReplacesList([...replaces]);
  const details = response.getDetaileddiffMap();
  const inputs = new Set<string>();
  for (const { path, change } of differences(olds, news)) {
    const [input = ''] = path;
    const kind = replaces.includes(input) ? Kind[`${change}_REPLACE`] : Kind[change];
    details.set(textOf(path), new PropertyDiff().setKind(kind).setInputdiff(true));
    inputs.add(input);
  }
  return response
    .setChanges(changes ? DIFF_SOME : DIFF_NONE)
    .setDiffsList([...inputs])
    .setHasdetaileddiff(inputs.size > 0);
}

interface PathChange {
  readonly path: readonly string[];
  readonly change: 'ADD' | 'DELETE' | 'UPDATE';
}

function differences(olds: Raw, news: Raw, path: readonly string[] = []): PathChange[] {
  return [...new Set([...Object.keys(olds), ...Object.keys(news)])].flatMap((name): PathChange[] => {
    const [was, is] = [olds[name], news[name]];
    if (isDeepStrictEqual(was, is)) return [];
    if (isRecord(was) && isRecord(is)) return differences(was, is, [...path, name]);
    const change = was === undefined ? 'ADD' : is === undefined ? 'DELETE' : 'UPDATE';
    return [{ path: [...path, name], change }];
  });
}

/** `properties.plan`, `subscriptionGroups["group-1"]`. */
function textOf(path: readonly string[]): string {
  return path
    .map((name, index) =>
      /^[A-Za-z_]\w*$/.test(name) ? `${index === 0 ? '' : '.'}${name}` : `[${JSON.stringify(name)}]`,
    )
    .join('');
}
