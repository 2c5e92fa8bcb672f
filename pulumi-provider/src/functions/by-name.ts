import { ResourceError } from '../resources/errors.js';

/**
 * The one thing of that name.
 *
 * @throws ResourceError that lists what there is when the name is missing or double.
 */
export function byName<Thing extends { readonly id: string; readonly name: string }>(
  kind: string,
  name: string,
  things: readonly Thing[],
): Thing {
  const [found, ...others] = things.filter((thing) => thing.name === name);
  if (found !== undefined && others.length === 0) return found;
  if (found !== undefined) {
    const ids = [found, ...others].map(({ id }) => `'${id}'`).join(', ');
    throw new ResourceError(
      `There are ${others.length + 1} ${kind}s of the name '${name}', with the ids ${ids}. Give them different names, or use an id.`,
    );
  }
  const list = things.map((thing) => `'${thing.name}'`).join(', ');
  throw new ResourceError(
    `There is no ${kind} of the name '${name}'. There ${things.length === 0 ? 'are none' : `are: ${list}`}.`,
  );
}
