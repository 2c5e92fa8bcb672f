import { isRecord } from 'audience-core/internal';
import { PropertyDiff } from '@pulumi/pulumi/proto/provider_pb.js';
import { isDeepStrictEqual } from 'node:util';
import type { Raw } from '../resources/raw.js';

const { Kind } = PropertyDiff;

/**
 * Which inputs differ, by their paths (`firstName`, `properties.plan`): what `pulumi preview --diff` names.
 *
 * @param replaces inputs whose change takes a new resource.
 */
export function detailedDiff(
  olds: Raw,
  news: Raw,
  replaces: readonly string[],
): ReadonlyMap<string, PropertyDiff> {
  const found = new Map<string, PropertyDiff>();
  compare(olds, news, [], found, replaces);
  return found;
}

function compare(
  olds: Raw,
  news: Raw,
  path: readonly string[],
  found: Map<string, PropertyDiff>,
  replaces: readonly string[],
): void {
  for (const name of new Set([...Object.keys(olds), ...Object.keys(news)])) {
    const [was, is] = [olds[name], news[name]];
    if (isDeepStrictEqual(was, is)) continue;
    const here = [...path, name];
    if (isRecord(was) && isRecord(is)) {
      compare(was, is, here, found, replaces);
      continue;
    }
    const change = was === undefined ? 'ADD' : is === undefined ? 'DELETE' : 'UPDATE';
    const kind = replaces.includes(here[0] ?? '') ? Kind[`${change}_REPLACE`] : Kind[change];
    found.set(pathOf(here), new PropertyDiff().setKind(kind).setInputdiff(true));
  }
}

/** As the engine writes a path: `properties.plan`, `subscriptionGroups["group-1"]`. */
function pathOf(names: readonly string[]): string {
  return names
    .map((name, index) =>
      /^[A-Za-z_]\w*$/.test(name) ? `${index === 0 ? '' : '.'}${name}` : `[${JSON.stringify(name)}]`,
    )
    .join('');
}
