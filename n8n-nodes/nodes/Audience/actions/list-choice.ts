import type { INodeProperties, INodePropertyTypeOptions } from 'n8n-workflow';

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
