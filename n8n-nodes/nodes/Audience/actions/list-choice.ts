import type { INodeProperties, INodePropertyTypeOptions } from 'n8n-workflow';
import { noteLeftOut } from './notes.js';
import type { Item } from './operation.js';

/**
 * A multiple choice of what the service lists.
 *
 * @param description a sentence without its full stop.
 */
export function listChoice(
  name: string,
  displayName: string,
  description: string,
  typeOptions: INodePropertyTypeOptions,
): INodeProperties {
  return {
    displayName,
    name,
    type: 'multiOptions',
    typeOptions,
    default: [],
    description: `${description}. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.`,
  };
}

/** The IDs that are chosen for an item; it is told where the expression that is to choose them gives nothing. */
export function readChoices(item: Item, name: string): string[] {
  const ids = item.parameters.ids(name);
  if (ids.length === 0) noteLeftOut(item, name);
  return ids;
}
